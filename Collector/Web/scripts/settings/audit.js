// Who opened, changed, took away and was refused what.

import * as api from "../base/api.js";
import { debounce, fill, h } from "../base/dom.js";
import { preciseTime, when } from "../base/format.js";
import { section, text } from "./parts.js";

const actions = { read: "opened", export: "took away", change: "changed", "sign-in": "signed in", "sign-out": "signed out", refused: "was refused" };
const pageSize = 25;

export class AuditSection {
  #who = text({ placeholder: "Name, key or address", aria: { label: "Who" }, onInput: debounce(250, () => this.#load()) });
  #what = text({ placeholder: "Session, user, route…", aria: { label: "What" }, onInput: debounce(250, () => this.#load()) });
  #action = h("select", { aria: { label: "Action" }, onChange: () => this.#load() },
    h("option", { value: "" }, "Everything"), Object.entries(actions).map(([value, word]) => h("option", { value }, word)));
  #rows = h("tbody");
  #table = h("table.audit", null,
    h("thead", null, h("tr", null, ["When", "Who", "Did", "What", "From"].map((title) => h("th", { scope: "col" }, title)))), this.#rows);
  #note = h("p.faint", { role: "status" });
  #more = h("button.small", { type: "button", hidden: true, onClick: () => this.#load(this.#next) }, "Show older");
  #next = null;
  #asked = 0;
  element = section("audit", "Audit log", "Who opened which session, took away, changed or was refused what. Lists are not written down.",
    h("div.inline.audit-filter", null, this.#who, this.#what, this.#action), h("div.audit-scroll", { tabIndex: 0, role: "region", aria: { label: "Entries" } }, this.#table), this.#note, this.#more);

  show() { return this.#load(); }

  /** @param {string|null} before  the `next` of the page before; null: the newest */
  async #load(before = null) {
    const asked = ++this.#asked;
    try {
      const { entries, next } = await api.get("audit", { who: this.#who.value.trim(), what: this.#what.value.trim(), action: this.#action.value, limit: pageSize, before });
      // Something else was asked meanwhile.
      if (asked !== this.#asked) return;
      const rows = entries.map(row);
      if (before) this.#rows.append(...rows);
      else fill(this.#rows, rows);
      this.#next = next;
      this.#more.hidden = !next;
      this.#table.hidden = !this.#rows.childElementCount;
      this.#note.textContent = this.#rows.childElementCount ? "" : "Nothing like this was written down.";
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#table.hidden = this.#more.hidden = true;
      this.#note.textContent = error.status === 401 || error.status === 403 ? "Read by admins, or with an operator key." : error.message;
    }
  }
}

const row = ({ at, who, by, address, action, route, thing }) => h("tr", null,
  h("td.faint", { title: preciseTime(at) }, when(at)), h("td", { title: by }, who), h("td", { className: action === "refused" ? "warn" : "" }, actions[action] ?? action),
  h("td", null, thing ? h("span", null, thing) : null, h("code.faint", null, route)), h("td.faint", null, address ?? ""));
