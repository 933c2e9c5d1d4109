// What may come next where the caret stands: fields, and their values. The collector reads the language; this only looks at the
// word at the caret.

import * as api from "../base/api.js";

/** By domain: the answer of the collector, asked for once. */
const known = new Map();

async function fieldsOf(domain) {
  if (!known.has(domain)) {
    const asked = api.get("search/fields", { in: domain }).then((answer) => answer[domain]);
    known.set(domain, asked);
    asked.catch(() => known.delete(domain));
  }
  return known.get(domain);
}

/** The word at the caret: where it begins and ends, and what of it is a field. */
export function wordAt(text, caret) {
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < caret; at++) {
    if (text[at] === "\"" && text[at - 1] !== "\\") isQuoted = !isQuoted;
    else if (!isQuoted && /\s/.test(text[at])) start = at + 1;
  }
  const dash = text[start] === "-" ? 1 : 0;
  const typed = text.slice(start + dash, caret);
  const [, name, value] = /^([A-Za-z][\w-]*):(.*)$/s.exec(typed) ?? [];
  return { start: start + dash, caret, typed, name: name ?? null, value: value ?? "" };
}

/**
 * @returns {Promise<{from: number, to: number, items: {text: string, label: string, hint: string, isOpen: boolean}[]}>}
 *   `text` takes the place of what stands from `from` to `to`; `isOpen`: something has to follow it
 */
export async function complete(domain, text, caret, signal) {
  const word = wordAt(text, caret);
  const fields = await fieldsOf(domain);
  const wanted = word.typed.toLowerCase();
  if (word.name === null) {
    if (!/^[A-Za-z]*$/.test(word.typed)) return { from: word.start, to: caret, items: [] };
    const items = fields.filter(({ name, aliases = [] }) => [name, ...aliases].some((one) => one.toLowerCase().startsWith(wanted)))
      .map(({ name, summary, example }) => ({ text: `${name}:`, label: `${name}:`, hint: summary, example, isOpen: true }));
    return { from: word.start, to: caret, items };
  }
  const field = fields.find(({ name, aliases = [] }) => [name, ...aliases].some((one) => one.toLowerCase() === word.name.toLowerCase()));
  if (!field) return { from: word.start, to: caret, items: [] };
  // Of several values the last one.
  const comma = field.commas ? -1 : word.value.lastIndexOf(",");
  const begun = word.value.slice(comma + 1).replace(/^"/, "");
  const from = caret - (word.value.length - comma - 1);
  const values = field.choices?.map((value) => ({ value })).filter(({ value }) => value.startsWith(begun.toLowerCase()))
    ?? (field.values ? (await api.get("search/values", { in: domain, field: field.name, begins: begun }, signal)).values : ranges(field, begun));
  const items = values.filter(({ value }) => value !== begun)
    .map(({ value, count }) => ({ text: quoted(value, field), label: value, hint: count === undefined || count === null ? "" : String(count), isOpen: false }));
  return { from, to: caret, items };
}

/** Of several domains, what any of them offers, each once. */
export async function completeAny(domains, text, caret, signal) {
  const answers = await Promise.all(domains.map((domain) => complete(domain, text, caret, signal)));
  const { from, to } = answers.find(({ items }) => items.length) ?? answers[0];
  const items = answers.filter((answer) => answer.from === from).flatMap((answer) => answer.items);
  return { from, to, items: items.filter(({ text }, index) => items.findIndex((item) => item.text === text) === index) };
}

/** A search while it is written: a field without its value waits for it. */
export const settled = (text) => text.replace(/(^|\s)-?[A-Za-z][\w-]*:$/, "").trim();

/** A text with a completion in its place, and where the caret stands then. */
export function completed(text, { from, to }, item) {
  const rest = text.slice(to);
  const before = text.slice(0, from) + item.text + (item.isOpen || /^[\s,]/.test(rest) ? "" : " ");
  return { text: before + rest, caret: before.length };
}

/** For what is compared: where most people begin. */
function ranges({ name, compares, example }, begun) {
  if (!compares || begun) return [];
  if (name === "status") return ["4xx", "5xx", ">=400", "none"].map((value) => ({ value }));
  return [{ value: example.slice(example.indexOf(":") + 1) }];
}

const quoted = (value, { commas }) =>
  /[\s"]/.test(value) || (value.includes(",") && !commas) ? `"${value.replaceAll(/["\\]/g, "\\$&")}"` : value;
