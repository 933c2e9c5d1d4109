// What apps are told: whether they record, how many sessions, and what they make up instead of asking the network.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { when } from "../base/format.js";
import { send } from "../base/send.js";
import { MockList } from "./mocks.js";
import { confirmed, field, section } from "./parts.js";

export class AppSection {
  element;
  #select = h("select", { id: "settings-app", onChange: () => this.#choose() });
  #body = h("div");
  #app = "*";
  #tell;
  #document = null;
  /** What the collector last said, of which the form was made. */
  #drawn = "";

  constructor(tell, place) {
    this.#tell = tell;
    this.#app = place.app || "*";
    this.element = section("apps", "Recording",
      "Apps apply a change with their next delivery, and keep it in later launches.",
      h("div.inline", null, field("App", this.#select)), this.#body);
  }

  async show({ apps, documents, projects }) {
    const names = new Set([...apps.map((app) => app.bundleId), ...documents.map((document) => document.bundleId), ...projects.map((project) => project.bundleId), this.#app]);
    names.delete("*");
    fill(this.#select, [["*", "All apps"], ...[...names].filter(Boolean).sort().map((name) => [name, name])]
      .map(([value, text]) => h("option", { value, selected: value === this.#app }, text)));
    await this.#read();
  }

  #choose() {
    this.#app = this.#select.value;
    // Nobody changes what another app is told under this one's name.
    this.#drawn = "";
    fill(this.#body);
    this.#read().catch((error) => this.#tell(Promise.reject(error)));
  }

  async #read() {
    const document = await api.get(`config/${encodeURIComponent(this.#app)}`);
    if (document.bundleId !== this.#app) return;
    // The same is not drawn anew: somebody may be typing.
    const drawn = JSON.stringify(document);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#document = document;
    const effective = document.effective ?? {};
    const isOn = effective.recording?.enabled !== false;
    const rate = h("input", { type: "number", min: 0, max: 100, step: "any", value: (document.document.sampling?.sessionRate ?? 1) * 100, id: "sampling" });
    const name = this.#app === "*" ? "all apps" : this.#app;
    const ownOff = document.document.recording?.enabled === false;
    fill(this.#body,
      h("div.setting-row", null,
        h("p", null, h(isOn ? "strong.good" : "strong.error", null, isOn ? "Recording" : "Switched off"),
          isOn ? "" : ownOff ? " by this setting" : " by the setting for all apps",
          document.changedAt ? h("span.faint", null, ` · changed ${when(document.changedAt)} by ${document.changedBy}`) : null),
        h("span.spring"),
        ownOff ? h("button.small.primary", { type: "button", onClick: () => this.#change((sections) => { delete sections.recording; }, `${name}: recording again.`) }, "Switch recording on")
          : confirmed("Switch recording off", `${this.#app === "*" ? "All apps stop" : `${this.#app} stops`} recording with the next delivery, in later launches too, until you switch it on again.`,
            () => this.#change((sections) => { sections.recording = { ...sections.recording, enabled: false }; }, `${name}: recording is switched off.`))),
      h("form.inline", { onSubmit: (event) => {
        event.preventDefault();
        this.#change((sections) => {
          const share = Number(rate.value) / 100;
          if (share === 1) delete sections.sampling;
          else sections.sampling = { ...sections.sampling, sessionRate: share };
        }, `${name}: ${rate.value} % of sessions are recorded.`);
      } }, field("Record", rate, "% of sessions"), h("button.small", null, "Save")),
      new MockList(document, (change, text) => this.#change(change, text)).element);
  }

  /** Changes the document that is shown; refused when somebody else was quicker. */
  #change(change, text) {
    const { bundleId, document, version } = this.#document;
    const sections = structuredClone(document ?? {});
    change(sections);
    return this.#tell(send("PUT", `config/${encodeURIComponent(bundleId)}`, { ...sections, version }), text);
  }
}
