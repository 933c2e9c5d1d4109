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
    const value = h("input", { type: "text", spellcheck: false, autocomplete: "off", maxLength: 500, value: shown(test, condition?.[test]), placeholder: "pro", data: { place: `${path}[${index}].${test}` }, aria: { label: `Value of condition ${index + 1}` } });
    // What nobody has changed here stays as it came: not every value can be written in one line as it is.
    let wanted = condition?.[test] ?? "";
    const put = () => change(list().with(index, { field: field.value.trim(), [select.value]: wanted }));
    const putValue = () => {
      value.dataset.place = `${path}[${index}].${select.value}`;
      wanted = read(select.value, value.value);
      put();
    };
    field.addEventListener("input", put);
    value.addEventListener("input", putValue);
    select.addEventListener("change", putValue);
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

const number = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** What somebody means. Of what is contained, each sign counts; elsewhere numbers, true and false are what they say, and in quotes they are texts. */
export function read(test, typed) {
  if (test === "contains") return typed;
  const text = typed.trim();
  if (number.test(text)) return Number(text);
  if (test !== "equals") return text;
  if (text === "true" || text === "false") return text === "true";
  return /^"(.*)"$/s.exec(text)?.[1] ?? text;
}

/** A value as it is typed: read again, it is the same. */
export function shown(test, value) {
  if (value === undefined || value === null) return "";
  return test === "equals" && typeof value === "string" && read(test, value) !== value ? `"${value}"` : String(value);
}
