// Erasing everything of one user, device or session: asked for with the name typed once more, and what came of it.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { saveBlob } from "../base/download.js";
import { count, plural, preciseTime, when } from "../base/format.js";
import { send } from "../base/send.js";
import { field, section, text } from "./parts.js";

const kinds = { user: "User", device: "Device", session: "Session" };
const steps = {
  sessions: "removing sessions", shared: "looking at what others share", log: "emptying the ingest log",
  telemetry: "deleting rows in ClickHouse", words: "clearing the search index", packs: "rewriting replays", file: "rewriting the index file", done: "done",
};

/**
 * A form that erases what belongs to one name, once that name was typed again.
 *
 * @param {{kind: string, id: string, project: string|null}} subject  as it is at that time
 * @param {(answer: object) => void} onBegun
 */
export function eraseForm(subject, onBegun, onClose) {
  const typed = text({ aria: { label: "Type the name to confirm" }, onInput: () => check() });
  const reason = text({ maxLength: 500, placeholder: "Request 4711", aria: { label: "Reason" } });
  const found = h("p.faint", { role: "status" }, "Counting…");
  const erase = h("button.small.danger", { type: "submit", disabled: true }, "Erase everything");
  const note = h("p.note", { role: "status" });
  const body = { [subject.kind]: subject.id, ...(subject.project ? { project: subject.project } : {}) };
  const check = () => { erase.disabled = typed.value !== subject.id; };
  const form = h("form.erase", { onSubmit: async (event) => {
    event.preventDefault();
    erase.disabled = true;
    try {
      onBegun(await send("POST", "erasures", { ...body, reason: reason.value }));
    } catch (error) {
      note.className = "note error";
      note.textContent = error.message;
      check();
    }
  } }, found, field(`Type “${subject.id}” to confirm`, typed), field("Reason", reason, "stays in the receipt; leave out the name"),
  h("div.inline", null, erase, h("button.small", { type: "button", onClick: onClose }, "Cancel")), note);
  send("POST", "erasures", { ...body, dryRun: true }).then(({ sessions, rows }) => {
    found.textContent = `${plural(sessions, "session")} with ${plural(rows.event ?? 0, "event")} and ${plural(rows.replay ?? 0, "replay")} will be erased, for good. `
      + "What comes late from the same app is dropped.";
  }, (error) => { found.textContent = error.message; });
  return form;
}

export class ErasureSection {
  #kind = h("select", { aria: { label: "What to erase" } }, Object.entries(kinds).map(([value, word]) => h("option", { value }, word)));
  #id = text({ required: true, placeholder: "Id", aria: { label: "Id" } });
  #project = text({ placeholder: "All apps", aria: { label: "App to erase in" } });
  #form = h("div");
  #rows = h("tbody");
  #table = h("table.erasures", null,
    h("thead", null, h("tr", null, ["When", "By", "What", "State", "Receipt"].map((title) => h("th", { scope: "col" }, title)))), this.#rows);
  #note = h("p.faint", { role: "status" });
  #timer = 0;
  element = section("erasures", "Erasing", "Removes everything of one user, device or session wherever it is kept, and gives a receipt.",
    h("form.inline", { onSubmit: (event) => { event.preventDefault(); this.#ask(); } }, this.#kind, this.#id, this.#project, h("button.small", { type: "submit" }, "Erase everything…")),
    this.#form, h("div.audit-scroll", { tabIndex: 0, role: "region", aria: { label: "Erasures" } }, this.#table), this.#note);

  show() { return this.#load(); }
  close() { clearTimeout(this.#timer); }

  #ask() {
    const subject = { kind: this.#kind.value, id: this.#id.value, project: this.#project.value.trim() };
    fill(this.#form, eraseForm(subject, () => { fill(this.#form); this.#id.value = ""; this.#load(); }, () => fill(this.#form)));
  }

  async #load() {
    clearTimeout(this.#timer);
    try {
      const { erasures } = await api.get("erasures", { limit: 25 });
      fill(this.#rows, erasures.map(row));
      this.#table.hidden = !erasures.length;
      this.#note.textContent = erasures.length ? "" : "Nothing has been erased.";
      if (erasures.some(({ step }) => step !== "done") && this.element.isConnected) this.#timer = setTimeout(() => this.#load(), 1000);
    } catch (error) {
      this.#table.hidden = true;
      this.#note.textContent = error.status === 401 || error.status === 403 ? "Read by operators." : error.message;
    }
  }
}

const row = (erasure) => h("tr", null,
  h("td.faint", { title: preciseTime(erasure.requestedAt) }, when(erasure.requestedAt)), h("td", null, erasure.requestedBy),
  h("td", { title: erasure.subject }, kinds[erasure.kind] ?? erasure.kind, erasure.project ? ` in ${erasure.project}` : "", h("span.faint", null, ` ${erasure.subject.slice(-8)} ${erasure.reason}`)),
  h("td", null, erasure.step === "done" ? `${plural(erasure.sessions, "session")}, ${count(erasure.events)} events erased` : steps[erasure.step] ?? erasure.step,
    erasure.problem ? h("span.error", null, ` ${erasure.problem}`) : null),
  h("td", null, erasure.receipt ? h("button.small", { type: "button", title: `SHA-256 ${erasure.sha256}`,
    onClick: () => saveBlob(new Blob([erasure.receipt], { type: "application/json" }), `erasure-${erasure.id}.json`) }, "Save") : null));
