// How long things are kept.

import { fill, h } from "../base/dom.js";
import { count, dayName, plural, when } from "../base/format.js";
import { same } from "../base/same.js";
import { send } from "../base/send.js";
import { field, section } from "./parts.js";

const gigabyte = 1_000_000_000;
export const size = (n) => n >= gigabyte ? `${(n / gigabyte).toFixed(n < 10 * gigabyte ? 1 : 0)} GB` : `${Math.round(n / 1e6)} MB`;

export class RetentionSection {
  element;
  #days = h("input", { type: "number", min: 1, max: 3650, step: 1, placeholder: "forever", id: "keep-days" });
  #size = h("input", { type: "number", min: 0.1, step: "any", placeholder: "no limit", id: "keep-size" });
  #facts = h("div.facts-of");
  #projects = h("div.facts-of");
  #form;
  #tell;
  #shown = null;
  /** By number and name of a project. */
  #rows = new Map();

  constructor(tell) {
    this.#tell = tell;
    this.element = section("retention", "Retention",
      "Whole sessions are deleted, least recently active first. Deleted data does not come back when an app sends it again.",
      this.#form = h("form.inline", { onSubmit: async (event) => {
        event.preventDefault();
        const days = this.#days.value ? Number(this.#days.value) : null;
        const bytes = this.#size.value ? Math.round(Number(this.#size.value) * gigabyte) : null;
        this.#shown = null;
        await tell(send("PUT", "settings/retention", { days, bytes }), days || bytes ? "Saved. Deletion starts now, in the background." : "Saved. Everything is kept.");
      } }, field("Keep sessions", this.#days, "days after their last event"), field("Use at most", this.#size, "GB"),
      h("button.small.primary", null, "Save")), this.#facts, this.#projects);
  }

  /** Who sees some projects is shown these alone. */
  show({ settings, projects }) {
    this.element.hidden = !settings && !projects.length;
    this.#form.hidden = this.#facts.hidden = !settings;
    if (settings) this.#showAll(settings);
    this.#showProjects(settings && projects.length < 2 ? [] : projects);
  }

  #showProjects(projects) {
    const rows = new Map(projects.map((project) => {
      const key = `${project.id} ${project.name}`;
      return [key, this.#rows.get(key) ?? this.#row(project)];
    }));
    // Drawn anew only when there are others: whoever is in a field stays there.
    if (!same([...rows.keys()], [...this.#rows.keys()])) {
      fill(this.#projects, rows.size ? h("p", null, "A project can keep its sessions for less: of its days and the collector's, the shorter ones hold.") : null,
        [...rows.values()].map((row) => row.element));
    }
    this.#rows = rows;
    for (const project of projects) this.#rows.get(`${project.id} ${project.name}`).show(project);
  }

  #row({ id, name }) {
    const input = h("input", { type: "number", min: 1, max: 3650, step: 1 });
    const note = h("span.faint");
    let shown = "";
    const element = h("form.inline", { onSubmit: (event) => {
      event.preventDefault();
      const own = input.value ? Number(input.value) : null;
      this.#tell(send("PUT", `projects/${id}/retention`, { days: own }),
        own ? `Saved. Sessions of “${name}” are kept for ${plural(own, "day")} at most.` : `Saved. Sessions of “${name}” are kept as the collector's.`);
    } }, field(name, input, "days"), h("button.small", { aria: { label: `Save the days of ${name}` } }, "Save"), note);
    return { element, show: ({ days, keptDays }) => {
      // What somebody is typing stays.
      if (input.value === shown) input.value = days ?? "";
      shown = String(days ?? "");
      input.placeholder = keptDays ?? "forever";
      note.textContent = days === null ? "As the collector." : keptDays < days ? `The collector's ${plural(keptDays, "day")} are shorter, and hold.` : "";
    } };
  }

  #showAll(settings) {
    const { retention, storage } = settings;
    // What somebody is typing stays.
    const state = [retention.days, retention.bytes];
    if (!same(state, this.#shown)) {
      this.#days.value = retention.days ?? "";
      this.#size.value = retention.bytes ? retention.bytes / gigabyte : "";
      this.#shown = state;
    }
    const bar = h("i");
    if (retention.bytes) bar.style.width = `${Math.min(100, (storage.usedBytes / retention.bytes) * 100)}%`;
    fill(this.#facts,
      h("p", null, h("b", null, size(storage.usedBytes)), storage.sessions === null ? " used here; sessions are in ClickHouse" : ` used by ${plural(storage.sessions, "session")} with ${plural(storage.events, "event")}`,
        storage.oldestReceived ? `, the oldest ${dayName(storage.oldestReceived) === "Today" ? "from today" : `from ${dayName(storage.oldestReceived)}`}` : "", storage.freeBytes ? `. ${size(storage.freeBytes)} free on disk.` : "."),
      retention.bytes ? h("span.bar", { role: "img", aria: { label: `${Math.round((storage.usedBytes / retention.bytes) * 100)} % of the limit` } }, bar) : null,
      h("p.faint", null, retention.running ? "Deleting now." : retention.lastRun ? `Last checked ${when(retention.lastRun)}.` : "Checks every ten minutes.",
        retention.deletedSessions ? ` ${plural(retention.deletedSessions, "session")} with ${count(retention.deletedEvents)} events deleted since the collector started.` : "",
        retention.changedAt ? ` Changed ${when(retention.changedAt)} by ${retention.changedBy}.` : ""),
      retention.problem ? h("p.error", null, `Not working: ${retention.problem}`) : null);
  }
}
