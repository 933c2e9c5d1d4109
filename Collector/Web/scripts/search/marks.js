// Marks in a text what was searched for.

import { h } from "../base/dom.js";

const fold = (text) => {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  // Places have to stay where they are.
  return plain.length === text.length ? plain : text.toLowerCase();
};

/**
 * @param {string|null|undefined} text
 * @param {string[]} marks  what the collector says was looked for
 * @returns {(string|HTMLElement)[]}
 */
export function marked(text, marks) {
  if (!text || !marks?.length) return [text ?? ""];
  const held = fold(text);
  if (held.length !== text.length) return [text];
  const found = [];
  for (const mark of marks) {
    const wanted = fold(mark);
    for (let at = held.indexOf(wanted); wanted && at >= 0 && found.length < 100; at = held.indexOf(wanted, at + wanted.length)) {
      found.push([at, at + wanted.length]);
    }
  }
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const parts = [];
  let end = 0;
  for (const [from, to] of found) {
    if (from < end) continue;
    if (from > end) parts.push(text.slice(end, from));
    parts.push(h("mark", null, text.slice(from, to)));
    end = to;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}
