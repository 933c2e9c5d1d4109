// Conditions on the members of events: up to four in a rule.

import { fill, h } from "../base/dom.js";

const tests = [["equals", "is"], ["contains", "contains"], ["atLeast", "is at least"], ["atMost", "is at most"]];
const most = 4;

/** The list of an event's conditions, and a button for another one. */
export function conditions(content, path, onChange) {
  const element = h("div.upload-conditions", { role: "group", aria: { label: "Conditions" }, data: { place: path } });
  const list = () => Array.isArray(content.where) ? content.where : [];
  const change = (where) => {
    if (where.length) content.where = where;
    else delete content.where;
    onChange();
  };
  const draw = () => fill(element,
    list().map((condition, index) => row(condition, index)),
    list().length < most ? h("button.small", { type: "button", onClick: () => {
      change([...list(), { field: "", equals: "" }]);
      draw();
      element.querySelectorAll("input")[2 * (list().length - 1)].focus();
    } }, "Add a condition") : null);

  function row(condition, index) {
    const test = tests.find(([name]) => Object.hasOwn(condition ?? {}, name))?.[0] ?? "equals";
    const field = h("input", { type: "text", spellcheck: false, autocomplete: "off", maxLength: 200, value: condition?.field ?? "", placeholder: "properties.plan", data: { place: `${path}[${index}].field` }, aria: { label: `Member of condition ${index + 1}` } });
    const select = h("select", { aria: { label: `Test of condition ${index + 1}` } }, tests.map(([name, word]) => h("option", { value: name, selected: name === test }, word)));
    const value = h("input", { type: "text", spellcheck: false, autocomplete: "off", maxLength: 500, value: shown(condition?.[test]), placeholder: "pro", data: { place: `${path}[${index}].${test}` }, aria: { label: `Value of condition ${index + 1}` } });
    const put = () => {
      value.dataset.place = `${path}[${index}].${select.value}`;
      change(list().with(index, { field: field.value.trim(), [select.value]: read(select.value, value.value.trim()) }));
    };
    for (const input of [field, value]) input.addEventListener("input", put);
    select.addEventListener("change", put);
    return h("p.gap-line", { data: { place: `${path}[${index}]` } }, h("span", null, index ? "and" : "where"), field, select, value,
      h("button.small", { type: "button", aria: { label: `Remove condition ${index + 1}` }, onClick: () => {
        change(list().toSpliced(index, 1));
        draw();
        element.querySelector("button:last-child")?.focus();
      } }, "Remove"));
  }

  draw();
  return element;
}

/** Numbers, true and false are what they say; in quotes they are texts. */
function read(test, typed) {
  if (test === "contains") return typed;
  if (test === "equals" && (typed === "true" || typed === "false")) return typed === "true";
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(typed)) return Number(typed);
  const quoted = test === "equals" && /^"(.*)"$/.exec(typed);
  return quoted ? quoted[1] : typed;
}

const shown = (value) => typeof value === "string" ? (read("equals", value) === value ? value : `"${value}"`) : value === undefined || value === null ? "" : String(value);
