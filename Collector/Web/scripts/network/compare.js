// Two requests beside each other: what differs in answer, time, headers and bodies.

import { h } from "../base/dom.js";
import { bytes, duration, timeOfDay } from "../base/format.js";
import { icon } from "../base/icons.js";
import { addressOf, badgeOf, toneOf } from "../exchange/address.js";
import { prettyJSON } from "../exchange/pretty.js";
import { phasesOf } from "../exchange/timing.js";
import { lines, members } from "./diff.js";

/** Of a body that is the same, so many lines are shown around what is not. */
const around = 3;

/** @param {object} before @param {object} after  network_request events  @param {{title?: string, onClose: () => void}} about */
export function comparison(before, after, { names = ["Before", "After"], onClose }) {
  const [a, b] = [before.payload ?? {}, after.payload ?? {}];
  return [
    h("header", null,
      h("div.bar", null, h("span.kind", null, "Comparison"), h("span.spring"),
        h("button.plain", { type: "button", title: "Close (Esc)", aria: { label: "Close" }, onClick: onClose }, icon("close"))),
      h("h2", { tabIndex: -1 }, `${a.method ?? ""} ${addressOf(a).path ?? ""}`)),
    h("div.scroll.comparison", { tabIndex: 0, role: "region", aria: { label: "Comparison" } },
      table("Response", names, [
        ["Time", timeOfDay(before.timestamp), timeOfDay(after.timestamp), true],
        ["Status", badge(a), badge(b), badgeOf(a) === badgeOf(b)],
        ["URL", a.url ?? "", b.url ?? ""],
        ["Error", a.error ?? "", b.error ?? ""],
        ["Request size", size(a.requestBodySize), size(b.requestBodySize)],
        ["Response size", size(a.responseBodySize), size(b.responseBodySize)],
      ]),
      times(names, a, b),
      headers("Request headers", names, a.requestHeaders, b.requestHeaders),
      body("Request body", text(a, "request"), text(b, "request")),
      headers("Response headers", names, a.responseHeaders, b.responseHeaders),
      body("Response body", text(a, "response"), text(b, "response"))),
  ];
}

const badge = (payload) => h(`span.status.${toneOf(payload) || "fine"}`, null, badgeOf(payload));
const size = (value) => value >= 0 ? bytes(value) : "";

function table(title, names, rows) {
  const shown = rows.filter(([, before, after]) => before !== "" || after !== "");
  if (!shown.length) return null;
  return h("section", null, h("h3", null, title), h("table.sides", null,
    h("thead", null, h("tr", null, h("td"), names.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, shown.map(([name, before, after, same = String(before) === String(after)]) => h(same ? "tr" : "tr.differs", null,
      h("th", { scope: "row" }, name), h("td", null, before === "" ? "–" : before), h("td", null, after === "" ? "–" : after))))));
}

function times(names, a, b) {
  const phases = (payload) => new Map(phasesOf(payload.timings ?? {}).map(([label, , from, to]) => [label, to - from]));
  const [before, after] = [phases(a), phases(b)];
  const shown = (ms) => Number.isFinite(ms) ? duration(ms) : "";
  const rows = [...new Set([...before.keys(), ...after.keys()])].map((label) => [label, shown(before.get(label)), shown(after.get(label)), true]);
  const longer = Number.isFinite(a.durationMs) && Number.isFinite(b.durationMs) ? b.durationMs - a.durationMs : 0;
  const more = Math.abs(longer) >= 1 ? ` (${longer > 0 ? "+" : "−"}${duration(Math.abs(longer))})` : "";
  return table("Timing", names, [["Duration", shown(a.durationMs), shown(b.durationMs) + more], ...rows]);
}

function headers(title, names, before, after) {
  const all = members(before, after);
  if (!all.length) return null;
  const differing = all.filter(({ differs }) => differs);
  const row = ({ name, before: one, after: other, differs }) => [name, one ?? "", other ?? "", !differs];
  const same = all.length - differing.length;
  return h("section", null,
    differing.length ? table(title, names, differing.map(row)) : h("h3", null, title),
    same ? h("details.same", null, h("summary", null, `${same} identical`), table("", names, all.filter(({ differs }) => !differs).map(row))) : null);
}

/** A body as lines; undefined: none was captured. */
function text(payload, side) {
  const raw = payload[`${side}Body`];
  if (typeof raw !== "string" || raw === "") return undefined;
  if (payload[`${side}BodyEncoding`] === "base64") return raw;
  const start = raw.trimStart()[0];
  return start === "{" || start === "[" ? prettyJSON(raw) : raw;
}

function body(title, before, after) {
  if (before === undefined && after === undefined) return null;
  if (before === after) return h("section", null, h("h3", null, title), h("p.hint", null, "Identical."));
  if (before === undefined || after === undefined) {
    return h("section", null, h("h3", null, title), h("p.hint", null, `Only the ${before === undefined ? "second" : "first"} has one.`), h("pre.text", { tabIndex: 0 }, before ?? after));
  }
  const found = lines(before, after);
  return h("section", null, h("h3", null, title), found ? h("ol.diff", null, folded(found)) : h("p.hint", null, "Too many lines differ to show them."));
}

function folded(found) {
  const near = found.map((_, index) => found.slice(Math.max(index - around, 0), index + around + 1).some(({ kind }) => kind !== "same"));
  const rows = [];
  for (let index = 0; index < found.length; index += 1) {
    if (near[index]) {
      const { kind, text: line } = found[index];
      rows.push(h(`li.${kind}`, null, h("span.sign", { role: "img", aria: { label: kind === "gone" ? "only first" : kind === "come" ? "only second" : "both" } }, kind === "gone" ? "−" : kind === "come" ? "+" : " "), h("code", null, line)));
    } else if (index === 0 || near[index - 1]) {
      let end = index;
      while (end < found.length && !near[end]) end += 1;
      rows.push(h("li.left-out", null, `${end - index} identical lines`));
    }
  }
  return rows;
}
