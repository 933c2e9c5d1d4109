// In the settings: what is asked for of what devices keep, by whom, why, and what became of it.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { preciseTime, when } from "../base/format.js";
import * as route from "../base/route.js";
import { send } from "../base/send.js";
import { section } from "../settings/parts.js";
import { hintOf, isOpen, kinds, stateOf } from "./words.js";

const interval = 3000;

export class AskSection {
  #tell;
  #timer = 0;
  #next = null;
  #rows = h("tbody");
  #table = h("table.audit", null,
    h("thead", null, h("tr", null, ["When", "Who", "What", "Why", "State", ""].map((title) => h("th", { scope: "col" }, title)))), this.#rows);
  #note = h("p.faint", { role: "status" });
  #more = h("button.small", { type: "button", hidden: true, onClick: () => this.#load(this.#next) }, "Show older");
  element = section("asks", "Asked for", "What people asked devices for, where apps keep what they record. An ask stands for 14 days.",
    h("div.audit-scroll", { tabIndex: 0, role: "region", aria: { label: "List of asks" } }, this.#table), this.#note, this.#more);

  /** @param {(promise: Promise, text: string) => Promise<object|null>} tell */
  constructor(tell) { this.#tell = tell; }

  show() { return this.#load(); }
  close() { clearTimeout(this.#timer); }

  async #load(before = null) {
    clearTimeout(this.#timer);
    try {
      const { asks, next } = await api.get("asks", { limit: 25, before });
      const rows = asks.map((ask) => this.#row(ask));
      if (before) this.#rows.append(...rows);
      else fill(this.#rows, rows);
      this.#next = next;
      this.#more.hidden = !next;
      this.#table.hidden = !this.#rows.childElementCount;
      this.#note.textContent = this.#table.hidden ? "Nothing is asked for." : "";
      // Whoever has looked at older ones reads them.
      const isWaiting = asks.some(({ state }) => state === "asked" || state === "on_its_way");
      if (!before && isWaiting && this.element.isConnected) this.#timer = setTimeout(() => this.#load(), interval);
    } catch (error) {
      this.#table.hidden = this.#more.hidden = true;
      this.#note.textContent = error.message;
    }
  }

  #row(ask) {
    const { id, kind, subject, bundleId, reason, askedBy, askedAt } = ask;
    const place = kind === "session" ? { view: "session", session: subject } : kind === "user" ? { view: "users", id: subject, app: bundleId } : null;
    return h("tr", null,
      h("td.faint", { title: preciseTime(askedAt) }, when(askedAt)), h("td", null, askedBy),
      h("td", { title: bundleId }, `${kinds[kind] ?? kind} `, place ? h("a", { href: route.address(place) }, subject) : subject),
      h("td", null, reason), h("td", { title: hintOf(ask) }, stateOf(ask)),
      h("td", null, isOpen(ask) ? h("button.small", { type: "button", aria: { label: `Withdraw ask ${id}` },
        onClick: () => this.#tell(send("DELETE", `asks/${id}`), "Withdrawn. What was on its way may still come.") }, "Withdraw") : null));
  }
}
