// What of a recording leaves the devices: all of it, or what is around events that rules name. Tried on what is stored while it is
// written, and saved as the section “upload” of an app's document.

import * as api from "../base/api.js";
import { debounce, fill, h } from "../base/dom.js";
import { when } from "../base/format.js";
import { send } from "../base/send.js";
import { field, section } from "./parts.js";
import { showTotal } from "./upload-figures.js";
import { UploadRule } from "./upload-rule.js";
import { numberOf, usual } from "./upload-triggers.js";

const modes = [["", "As the app says", "Its own configuration decides."], ["everything", "Everything", "All that is recorded is sent."],
  ["whenTriggered", "What rules name", "The rest stays on the device until it is too old."]];
const megabyte = 1_000_000;

export class UploadSection {
  element;
  #tell;
  #app;
  #document = null;
  /** The section as it is being changed, and as it was read. */
  #section = {};
  #base = "{}";
  #rules = [];
  #run = null;
  #abort = null;
  #isSeen = false;

  #select = h("select", { id: "upload-app", onChange: () => this.#choose() });
  #modes = h("fieldset.upload-modes");
  #inherited = h("p.faint");
  #budgets = h("div.inline");
  #total = h("div.upload-total", { role: "status" });
  #list = h("ol.upload-rules");
  #json = h("pre", { tabIndex: 0, aria: { label: "The section as JSON" } });
  #problem = h("div.upload-problems", { role: "alert" });
  #save = h("button.small.primary", { type: "submit" }, "Save");
  #discard = h("button.small", { type: "button", onClick: () => this.#read(true) }, "Discard changes");
  #usual = h("button.small", { type: "button", onClick: () => { this.#section.rules = [...this.#given(), ...usual()]; this.#drawRules(); this.#changed(); this.#rules[0].focus(); } }, "Begin with the usual rules");
  #part = h("div.upload-part");
  #trySoon = debounce(500, () => this.#try());
  /** A collector that has too much to do has time later: nobody has to type something for that. */
  #tryLater = debounce(3000, () => this.#try());

  constructor(tell, place) {
    this.#tell = tell;
    this.#app = place.app || "*";
    fill(this.#part, this.#budgets, this.#total, h("h3", null, "Rules"), this.#list,
      h("div.buttons", null, h("button.small", { type: "button", onClick: () => this.#add() }, "Add a rule"), this.#usual));
    this.element = section("upload", "Sending",
      "Apps record everything. What of it leaves the devices, you say here; beside each rule stands what it would have sent of the last seven days.",
      h("form", { noValidate: true, onSubmit: (event) => { event.preventDefault(); this.#put(); } },
        h("div.inline", null, field("App", this.#select)), this.#modes, this.#inherited, this.#part,
        h("details", null, h("summary", null, "As JSON"), this.#json), this.#problem,
        h("div.buttons", null, this.#save, this.#discard)));
    // The figures cost the collector something: they are asked for when somebody gets to see them.
    new IntersectionObserver(([entry], observer) => {
      if (!entry.isIntersecting) return;
      observer.disconnect();
      this.#isSeen = true;
      this.#try();
    }).observe(this.#total);
  }

  close() { this.#abort?.abort(); }

  async show({ apps, documents, projects }) {
    const names = new Set([...apps, ...documents, ...projects].map(({ bundleId }) => bundleId));
    names.add(this.#app);
    names.delete("*");
    fill(this.#select, [["*", "All apps"], ...[...names].filter(Boolean).sort().map((name) => [name, name])]
      .map(([value, text]) => h("option", { value, selected: value === this.#app }, text)));
    await this.#read(false);
  }

  #choose() {
    this.#app = this.#select.value;
    this.#isWaiting(true);
    this.#read(true).catch((error) => this.#tell(Promise.reject(error)));
  }

  /** Nobody changes another app's rules under this one's name. */
  #isWaiting(isWaiting) {
    for (const part of [this.#modes, this.#part]) part.inert = isWaiting;
    if (isWaiting) this.#save.disabled = this.#discard.disabled = true;
  }

  /** @param isFresh  what was changed here is given up */
  async #read(isFresh) {
    const app = this.#app;
    const document = await api.get(`config/${encodeURIComponent(app)}`);
    if (app !== this.#app) return;
    const isOther = this.#document?.bundleId !== app;
    const base = JSON.stringify(document.document.upload ?? {});
    if (!isFresh && !isOther && this.#isChanged) {
      // Another section was changed: that is no reason to refuse this one. Another's rules are.
      if (base === this.#base) this.#document = document;
      return;
    }
    this.#document = document;
    this.#base = base;
    this.#section = objectOf(structuredClone(document.document.upload));
    this.#isWaiting(false);
    this.#draw();
    this.#trySoon();
  }

  get #isChanged() { return JSON.stringify(this.#section) !== this.#base; }
  #given() { return Array.isArray(this.#section.rules) ? this.#section.rules : []; }

  // What is shown

  #draw() {
    this.#run = null;
    fill(this.#problem);
    fill(this.#modes, h("legend", null, "What is sent"), modes.map(([value, name, about], index) => h("label.upload-mode", null,
      h("input", { type: "radio", name: "upload-mode", value, checked: (this.#section.mode ?? "") === value, onChange: () => this.#set("mode", value) }),
      h("span", null, h("b", null, name), h("span.faint", { id: `upload-mode-${index}` }, about)))));
    fill(this.#budgets, this.#number("keepDays", "Keep the rest for", "days", 1, { min: 1, max: 90, step: 1, placeholder: "7" }),
      this.#number("bytesPerDay", "Send a day at most", "MB from a device", megabyte, { min: 0, step: "any", placeholder: "no limit" }),
      this.#number("cellularBytesPerDay", "Of it over cellular", "MB", megabyte, { min: 0, step: "any", placeholder: "no limit" }));
    this.#drawRules();
    this.#state();
  }

  #number(name, label, unit, factor, properties) {
    const known = this.#section[name];
    const input = h("input", { type: "number", ...properties, value: typeof known === "number" && known >= 0 ? known / factor : "", data: { place: `upload.${name}` }, onInput: () => {
      const value = numberOf(input);
      this.#set(name, typeof value === "number" ? (factor === 1 ? value : Math.round(value * factor)) : value);
    } });
    return field(label, input, unit);
  }

  #set(name, value) {
    if (value === "") delete this.#section[name];
    else this.#section[name] = value;
    this.#changed();
  }

  #drawRules() {
    this.#rules = this.#given().map((rule, index) => new UploadRule(rule, index, {
      onChange: () => this.#changed(),
      onMove: (by) => this.#move(index, by),
      onRemove: () => this.#remove(index),
    }));
    this.#rules.forEach((rule, index) => rule.setEnds(index === 0, index === this.#rules.length - 1));
    fill(this.#list, this.#rules.map((rule) => rule.element));
    this.#showRun();
  }

  #state() {
    const { mode } = this.#section;
    const general = this.#document.effective?.upload?.mode;
    this.#part.hidden = mode !== "whenTriggered" && !this.#given().length;
    this.#inherited.textContent = !mode && this.#app !== "*" && general ? `By the setting for all apps: ${modes.find(([name]) => name === general)?.[1].toLowerCase() ?? general}.`
      : mode !== "whenTriggered" && this.#given().length ? "The rules are kept, and not in force." : "";
    this.#usual.hidden = this.#given().length > 0;
    this.#json.textContent = JSON.stringify({ upload: this.#section }, null, 2);
    this.#save.disabled = this.#discard.disabled = !this.#isChanged;
    this.#save.textContent = this.#isChanged ? "Save" : this.#document.changedAt ? `Saved ${when(this.#document.changedAt)}` : "Save";
  }

  #changed() {
    if (this.#section.mode === "whenTriggered" && !this.#section.schema) this.#section.schema = 1;
    this.#state();
    this.#trySoon();
  }

  // Rules

  #add() {
    const names = new Set(this.#given().map((rule) => rule?.name));
    let name = "crash";
    for (let number = 2; names.has(name); number++) name = `rule ${number}`;
    this.#arrange([...this.#given(), { name, when: { crash: true } }], this.#given().length, "kind");
  }

  #move(index, by) {
    const rules = this.#given();
    const [moved] = rules.slice(index, index + 1);
    this.#arrange(rules.toSpliced(index, 1).toSpliced(index + by, 0, moved), index + by, by < 0 ? "Up" : "Down");
  }

  #remove(index) {
    const rules = this.#given().toSpliced(index, 1);
    this.#arrange(rules, Math.min(index, rules.length - 1), "Remove");
    if (!rules.length) this.#usual.focus();
  }

  #arrange(rules, focused, part) {
    const open = new Set(this.#rules.filter(({ isOpen }) => isOpen).map(({ rule }) => rule));
    const figures = new Map(this.#rules.map(({ rule }, index) => [rule, this.#run?.rules.find((one) => one.index === index)]));
    if (rules.length) this.#section.rules = rules;
    else delete this.#section.rules;
    // Until they are tried anew, each keeps its figures.
    if (this.#run) this.#run = { ...this.#run, problems: [], rules: rules.flatMap((rule, index) => figures.get(rule) ? [{ ...figures.get(rule), index }] : []) };
    this.#drawRules();
    for (const rule of this.#rules) if (open.has(rule.rule)) rule.open(true);
    if (part === "kind") this.#rules[focused].open(true);
    this.#changed();
    this.#rules[focused]?.focus(part);
  }

  // Trying and saving

  async #try() {
    if (!this.#isSeen || this.#part.hidden || !this.#document || !this.element.isConnected) return;
    this.#abort?.abort();
    const abort = this.#abort = new AbortController();
    this.#part.setAttribute("aria-busy", "true");
    try {
      const run = await send("POST", `config/${encodeURIComponent(this.#app)}/try`, { upload: this.#section }, abort.signal);
      if (abort.signal.aborted) return;
      this.#run = run;
      this.#showRun();
    } catch (error) {
      if (error.name === "AbortError" || abort.signal.aborted) return;
      fill(this.#total, h("p.error", null, `Not tried: ${error.message}`));
      if ([0, 429, 503].includes(error.status)) this.#tryLater();
    }
    this.#part.removeAttribute("aria-busy");
  }

  #showRun() {
    if (!this.#run) return fill(this.#total, h("p.faint", null, "The rules are tried on what is stored…"));
    showTotal(this.#total, this.#run);
    this.#rules.forEach((rule, index) => rule.setFigures(this.#run.rules.find((one) => one.index === index), this.#run.everything));
    this.#showProblems(this.#run.problems);
  }

  #showProblems(problems) {
    const isOf = (place, index) => place === `upload.rules[${index}]` || place.startsWith(`upload.rules[${index}].`);
    this.#rules.forEach((rule, index) => rule.setProblems(problems.filter(({ place }) => isOf(place, index))));
    const others = problems.filter(({ place }) => !this.#rules.some((_, index) => isOf(place, index)));
    fill(this.#problem, others.map(({ reason }) => h("p.error", null, reason)));
    for (const input of this.#budgets.querySelectorAll("input")) {
      if (others.some(({ place }) => place === input.dataset.place)) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    }
    return others.length;
  }

  async #put() {
    const { bundleId, document, version } = this.#document;
    const sections = { ...document, upload: this.#section };
    if (!Object.keys(this.#section).length) delete sections.upload;
    const name = bundleId === "*" ? "all apps" : bundleId;
    const path = `config/${encodeURIComponent(bundleId)}`;
    // What is shown next is what was saved.
    const saving = send("PUT", path, { ...sections, version }).then((answer) => { this.#base = JSON.stringify(this.#section); return answer; });
    let refused = null;
    saving.catch((error) => { refused = error; });
    if (await this.#tell(saving, `What is sent was saved for ${name}.`)) return;
    if (refused?.problems) {
      this.#showProblems(refused.problems);
      const first = this.#rules.find(({ element }) => element.classList.contains("wrong"));
      first?.open(true);
      (first?.element ?? this.element).querySelector("[aria-invalid]")?.focus();
    } else if (refused?.code === "conflict") {
      fill(this.#problem, h("p.error", null, "Somebody else has saved other settings meanwhile. Discard your changes to see them."));
    } else if (refused) fill(this.#problem, h("p.error", null, refused.message));
  }
}

const objectOf = (value) => value && typeof value === "object" && !Array.isArray(value) ? value : {};
