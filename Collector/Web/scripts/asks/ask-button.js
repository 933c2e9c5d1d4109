// The button above a session by which what its device keeps is asked for. It says how that stands.

import { h } from "../base/dom.js";
import { AsksAbout } from "./about.js";
import { isOpen, stateOf } from "./words.js";

export class AskButton {
  #about;
  #dialog;
  element = h("button.small.ask", { type: "button", title: "Ask the device for what it keeps of this session", onClick: () => this.#open() }, "Ask for it");

  /** @param {string} session  its id */
  constructor(session) {
    this.#about = new AsksAbout({ kind: "session", id: session }, (asks) => {
      this.element.textContent = asks.length && isOpen(asks[0]) ? stateOf(asks[0]) : "Ask for it";
    });
  }

  close() {
    this.#about.close();
    this.#dialog?.remove();
  }

  #open() {
    this.#dialog ??= h("dialog.ask", { aria: { label: "Ask for what the device keeps" } },
      h("h2", null, "Ask for what the device keeps"),
      h("p", null, "An app in flight recorder mode keeps on the device what no rule sends. It sends what it keeps of this session when it hears of it: at once while it is open, else when it is opened next."),
      this.#about.element,
      h("form", { method: "dialog" }, h("div.answers", null, h("button.small", null, "Close"))));
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#about.focus();
    this.#about.load();
  }
}
