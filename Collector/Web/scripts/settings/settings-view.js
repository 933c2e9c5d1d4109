// What operators decide: who may deliver and read, how long things are kept, what apps record, what they make up.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { AskSection } from "../asks/section.js";
import { AccessSection } from "./access.js";
import { AlertSection } from "./alerts.js";
import { AuditSection } from "./audit.js";
import { AppSection } from "./apps.js";
import { ErasureSection } from "./erasing.js";
import { ForwarderSection } from "./forwarders.js";
import { KeySection } from "./keys.js";
import { RedactionSection } from "./redaction.js";
import { RetentionSection } from "./retention.js";
import { SourceSection } from "./sources.js";
import { UploadSection } from "./upload.js";

export class SettingsView {
  #onState;
  #abort = new AbortController();
  #note = h("p.note", { role: "status" });
  #sections;
  /** Sections that have something for who sees some projects only. */
  #ofProjects;

  /** @param {{element: HTMLElement, place: object, onState: (error: Error|null) => void}} options */
  constructor({ element, place, onState }) {
    this.place = place;
    this.#onState = onState;
    const tell = (promise, text) => this.#tell(promise, text);
    const [keys, retention, apps, upload, erasures, redaction, asks] = [new KeySection(tell), new RetentionSection(tell), new AppSection(tell, place), new UploadSection(tell, place), new ErasureSection(), new RedactionSection(tell), new AskSection(tell)];
    this.#ofProjects = new Set([keys, retention, apps, upload, erasures, redaction, asks]);
    this.#sections = [keys, retention, redaction, erasures, asks, new AlertSection(tell), new ForwarderSection(tell), apps, upload, new SourceSection(tell), new AccessSection(), new AuditSection()];
    fill(element, h("div.scroll.settings", { id: "timeline", tabIndex: -1 },
        h("div.settings-head", null, h("h1", null, "Settings"), this.#note),
        this.#sections.map((section) => section.element)));
    this.#load();
  }

  close() {
    this.#abort.abort();
    for (const section of this.#sections) section.close?.();
  }

  /** Asks the collector again; what was typed stays. */
  reload() { return this.#load(); }

  async #load() {
    try {
      const signal = this.#abort.signal;
      const [settings, projects, apps, config] = await Promise.all([
        api.get("settings", {}, signal).catch((error) => { if (error.code !== "project_only") throw error; return null; }),
        ...["projects", "apps", "config"].map((path) => api.get(path, {}, signal))]);
      this.#onState(null);
      const all = { settings, ...projects, apps: apps.apps, documents: config.documents };
      if (settings) for (const section of this.#sections) await section.show(all);
      else await this.#showProjects(all);
    } catch (error) {
      if (error.name !== "AbortError") this.#onState(error);
    }
  }

  /** What is of the whole collector is left out, and so is what they may not read. */
  async #showProjects(all) {
    this.#note.className = "note";
    this.#note.textContent ||= "What is of the whole collector is not shown: you see some projects.";
    for (const section of this.#sections) section.element.hidden = !this.#ofProjects.has(section);
    for (const section of this.#ofProjects) {
      try {
        await section.show(all);
      } catch (error) {
        if (error.status !== 403) throw error;
        section.element.hidden = true;
      }
    }
  }

  /**
   * Waits for a change, says how it went, and shows what is there now.
   *
   * @returns the collector's answer; null when it refused
   */
  async #tell(promise, text) {
    try {
      const answer = await promise;
      // First what there is now: a form that is opened when it is said that all is saved is not drawn anew.
      await this.#load();
      this.#note.className = "note";
      this.#note.textContent = text;
      return answer;
    } catch (error) {
      this.#note.className = "note error";
      this.#note.textContent = error.message;
      // Another key is wanted; what was typed stays.
      if (error.status === 401) this.#onState(error);
      return null;
    }
  }
}
