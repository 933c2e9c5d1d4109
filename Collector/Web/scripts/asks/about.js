// Asking for what devices keep of one session or user: the form, and what became of what was asked.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { preciseTime, when } from "../base/format.js";
import { same } from "../base/same.js";
import { send } from "../base/send.js";
import { field, text } from "../settings/parts.js";
import { hintOf, isOpen, stateOf } from "./words.js";

const interval = 2000;
/** When nothing is to come soon. */
const slowInterval = 15_000;

export class AsksAbout {
  #subject;
  #onAsks;
  #abort = new AbortController();
  #timer = 0;
  #drawn = null;
  #reason = text({ required: true, maxLength: 300, placeholder: "Ticket 4711", aria: { label: "Reason" } });
  #app = h("select", { aria: { label: "App" } });
  #ask = h("button.small", { type: "submit" }, "Ask for it");
  #note = h("p.note", { role: "status" });
  #list = h("ul.asks", { aria: { label: "Asked for" } });
  #form = h("form.ask", { onSubmit: (event) => { event.preventDefault(); this.#send(); } });
  element = h("div.asks-about", null, this.#form, this.#note, this.#list);

  /**
   * @param {{kind: "session"|"user", id: string}} subject
   * @param {(asks: object[]) => void} onAsks  called with what is asked for, newest first, when it has changed
   */
  constructor(subject, onAsks = () => {}) {
    this.#subject = subject;
    this.#onAsks = onAsks;
    fill(this.#form, field("Reason", this.#reason, "others see it in Settings"),
      subject.kind === "session" ? null : field("App", this.#app), h("div.inline", null, this.#ask));
    this.load();
  }

  /** Of which apps it can be asked. */
  set apps(names) {
    if (same(names, [...this.#app.options].map(({ value }) => value))) return;
    fill(this.#app, names.map((name) => h("option", { value: name }, name)));
  }

  focus() { this.#reason.focus(); }

  close() {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  async load() {
    clearTimeout(this.#timer);
    let isWaiting = false;
    try {
      const { asks } = await api.get("asks", { [this.#subject.kind]: this.#subject.id, limit: 10 }, this.#abort.signal);
      isWaiting = asks.some(({ state }) => state === "asked" || state === "on_its_way");
      this.#draw(asks);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#say(error.message, true);
    }
    this.#timer = setTimeout(() => this.load(), isWaiting ? interval : slowInterval);
  }

  #say(words, isError = false) {
    this.#note.className = isError ? "note error" : "note";
    this.#note.textContent = words;
  }

  #draw(asks) {
    const state = asks.map((ask) => [ask, when(ask.askedAt)]);
    if (same(state, this.#drawn)) return;
    this.#drawn = state;
    fill(this.#list, asks.map((ask) => h("li", null,
      h("strong", { title: hintOf(ask) }, stateOf(ask)), " ",
      h("span.faint", { title: preciseTime(ask.askedAt) }, `${ask.askedBy}, ${when(ask.askedAt)}: `), ask.reason, " ",
      isOpen(ask) ? h("button.small", { type: "button", onClick: () => this.#change(send("DELETE", `asks/${ask.id}`), "Withdrawn.") }, "Withdraw") : null)));
    this.#onAsks(asks);
  }

  async #send() {
    const { kind, id } = this.#subject;
    const app = kind === "session" ? {} : { bundleId: this.#app.value };
    this.#ask.disabled = true;
    await this.#change(send("POST", "asks", { [kind]: id, ...app, reason: this.#reason.value }), "Asked. What comes is shown here, and in the session.");
    this.#ask.disabled = false;
  }

  async #change(promise, words) {
    try {
      await promise;
      this.#say(words);
    } catch (error) {
      return this.#say(error.message, true);
    }
    return this.load();
  }
}
