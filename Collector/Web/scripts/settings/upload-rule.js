// One rule: a line that says what it does, and under it the sentence with gaps in which it is changed.

import { fill, h } from "../base/dom.js";
import { duration } from "../base/format.js";
import { text } from "./parts.js";
import { conditions } from "./upload-conditions.js";
import { showRule } from "./upload-figures.js";
import { fresh, gap, numberOf, said, triggers } from "./upload-triggers.js";

const spans = [["minutesBefore", 2], ["minutesAfter", 0.5]];
const parts = [["replay", "with what was on the screen", "without the screen"], ["bodies", "with the bodies of requests", "without bodies of requests"]];

export class UploadRule {
  element;
  rule;
  #head = h("button.upload-toggle", { type: "button", onClick: () => this.open(!this.isOpen) });
  #figures = h("div.upload-figures");
  #editor;
  #gaps = h("div.upload-gaps");
  #kind;
  #onChange;
  #place;
  #buttons;

  /**
   * @param {object} rule  as it stands in the document; changed in place
   * @param {{onChange: () => void, onMove: (by: number) => void, onRemove: () => void}} on
   */
  constructor(rule, number, { onChange, onMove, onRemove }) {
    this.rule = rule;
    this.#onChange = () => { this.#title(); onChange(); };
    this.#place = `upload.rules[${number}]`;
    const id = `upload-rule-${number}`;
    const button = (name, label, act) => h("button.small", { type: "button", data: { act: name, label }, onClick: act }, name);
    this.#buttons = [button("Up", "Move up", () => onMove(-1)), button("Down", "Move down", () => onMove(1)), button("Remove", "Remove", onRemove)];
    this.#editor = h("div.upload-editor", { id, hidden: true, role: "group", aria: { label: "The rule" } }, this.#fields());
    this.#head.setAttribute("aria-controls", id);
    this.element = h("li.upload-rule", { data: { place: this.#place } },
      h("div.upload-line", null, this.#head, this.#buttons), this.#figures, this.#editor);
    this.open(false);
    this.#title();
  }

  get name() { return typeof this.rule?.name === "string" && this.rule.name ? this.rule.name : "the new rule"; }
  get isOpen() { return !this.#editor.hidden; }

  open(isOpen) {
    this.#editor.hidden = !isOpen;
    this.#head.setAttribute("aria-expanded", String(isOpen));
    this.element.classList.toggle("open", isOpen);
  }

  /** What is first or last cannot be moved further. */
  setEnds(isFirst, isLast) { [this.#buttons[0].disabled, this.#buttons[1].disabled] = [isFirst, isLast]; }

  focus(part) {
    if (part === "kind") return void (this.#kind ?? this.#head).focus();
    const wanted = this.#buttons.find((button) => button.dataset.act === part);
    (wanted && !wanted.disabled ? wanted : this.#head).focus();
  }

  setFigures(figures, everything) { showRule(this.#figures, figures, everything); }

  /** Says at the field, or as near to it as there is one, what is wrong. */
  setProblems(problems) {
    for (const old of this.element.querySelectorAll(".upload-problem")) old.remove();
    for (const field of this.element.querySelectorAll("[aria-invalid]")) {
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    }
    this.element.classList.toggle("wrong", problems.length > 0);
    problems.forEach(({ place, reason }, index) => {
      const field = this.#fieldAt(place);
      const told = h("p.error.upload-problem", { id: `${this.#editor.id}-problem-${index}` }, reason.slice(reason.indexOf(": ") + 2));
      if (field && field !== this.element) {
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", told.id);
        (field.closest(".gap-line, .setting") ?? field).after(told);
      } else this.#editor.prepend(told);
      this.#head.setAttribute("aria-describedby", told.id);
    });
    if (!problems.length) this.#head.removeAttribute("aria-describedby");
  }

  #fieldAt(place) {
    const fields = [...this.element.querySelectorAll("[data-place]")];
    for (let part = place; part.length > this.#place.length; part = part.replace(/(\.[^.[\]]*|\[\d+\])$/, "")) {
      const field = fields.find(({ dataset }) => dataset.place === part);
      if (field) return field;
      if (!/(\.[^.[\]]*|\[\d+\])$/.test(part)) break;
    }
    return null;
  }

  #title() {
    const { when, send } = this.rule ?? {};
    // They say which rule they are of, by the name that it has now.
    for (const button of this.#buttons) button.setAttribute("aria-label", `${button.dataset.label} ${this.name}`);
    const span = spans.map(([name, standard]) => typeof send?.[name] === "number" ? send[name] : standard);
    const sends = span[0] || span[1] ? [span[0] ? `${minutes(span[0])} before` : "", span[1] ? `${minutes(span[1])} after` : ""].filter(Boolean) : ["the event alone"];
    const without = parts.filter(([name]) => send?.[name] === false).map(([, , words]) => `, ${words}`).join("");
    const limit = typeof send?.perDay === "number" ? `, at most ${send.perDay} a day on a device` : "";
    fill(this.#head, h("span.upload-name", null, this.name), h("span.upload-says", null, said(when) === null ? "not known to this page" : `When ${said(when)}`,
      this.#isSession(when) ? h("span.faint", null, ` · all of it${without}`) : h("span.faint", null, ` · ${sends.join(", ")}${without}${limit}`)));
  }

  #send(name, value) {
    const send = { ...this.rule.send };
    if (value === "") delete send[name];
    else send[name] = value;
    if (Object.keys(send).length) this.rule.send = send;
    else delete this.rule.send;
    this.#onChange();
  }

  #isSession(when) { return Boolean(when && typeof when === "object" && "sessions" in when); }

  // What can be changed

  #fields() {
    const { rule } = this;
    if (said(rule?.when) === null || (rule.send !== undefined && (rule.send === null || typeof rule.send !== "object" || Array.isArray(rule.send)))) {
      return [h("p.faint", null, "This rule cannot be changed here; it stays as it is."), h("pre", { tabIndex: 0 }, JSON.stringify(rule, null, 2))];
    }
    const name = text({ value: rule.name ?? "", maxLength: 80, data: { place: `${this.#place}.name` }, onInput: () => { rule.name = name.value.trim(); this.#onChange(); } });
    this.#kind = h("select", { aria: { label: "What happens" }, data: { place: `${this.#place}.when` }, onChange: () => {
      rule.when = fresh(this.#kind.value);
      this.#drawGaps();
      this.#onChange();
    } }, Object.entries(triggers).map(([kind, { name: words }]) => h("option", { value: kind, selected: Object.hasOwn(rule.when, kind) }, words)));
    this.#drawGaps();
    return [h("label.setting", null, h("span", null, "Name"), name), h("div.sentence", null, this.#gaps, this.#sends())];
  }

  #drawGaps() {
    const kind = Object.keys(this.rule.when)[0];
    const { fields = [] } = triggers[kind];
    const content = this.rule.when[kind];
    const path = `${this.#place}.when.${kind}`;
    const inline = fields.filter((field) => field.kind !== "conditions");
    fill(this.#gaps,
      h("p.gap-line", { data: { place: path } }, h("span", null, "When"), this.#kind,
        inline.map((field) => [h("span", null, field.label), gap(field, content, `${path}.${field.name}`, this.#onChange), field.unit ? h("span", null, field.unit) : null])),
      fields.filter((field) => field.kind === "conditions").map((field) => conditions(content, `${path}.${field.name}`, this.#onChange)));
  }

  #sends() {
    const number = (name, label, properties) => {
      const input = h("input", { type: "number", value: this.rule.send?.[name] ?? "", data: { place: `${this.#place}.send.${name}` }, aria: { label }, ...properties,
        onInput: () => this.#send(name, numberOf(input)) });
      return input;
    };
    // On, unless somebody says otherwise: only that is written.
    const box = ([name, label]) => {
      const input = h("input", { type: "checkbox", checked: this.rule.send?.[name] !== false, data: { place: `${this.#place}.send.${name}` },
        onChange: () => this.#send(name, input.checked ? "" : false) });
      return h("label.box", null, input, h("span", null, label));
    };
    const line = (...children) => h("p.gap-line", null, children.map((child) => typeof child === "string" ? h("span", null, child) : child));
    return [
      line("send", number("minutesBefore", "Minutes before", { min: 0, max: 60, step: "any", placeholder: "2" }), "minutes before it and",
        number("minutesAfter", "Minutes after", { min: 0, max: 60, step: "any", placeholder: "0.5" }), "minutes after it"),
      line(...parts.map(box)),
      line("at most", number("perDay", "Times a day", { min: 1, max: 1000, step: 1, placeholder: "no limit" }), "times a day on a device, with the priority",
        number("priority", "Priority", { min: 0, max: 9, step: 1, placeholder: "5" }), h("span.faint", null, "9 goes first")),
    ];
  }
}

const minutes = (value) => duration(value * 60_000);
