// What the panel shows of an event, type by type; whatever no type claims comes last, under its own name.

import { h } from "../base/dom.js";
import { bytes, duration, words } from "../base/format.js";
import { logLevels, scalar } from "../events/describe.js";

const hidden = new Set(["eventType", "timestamp", "contextId", "context", "sessionId", "replayId", "report"]);

const labels = {
  url: "URL", statusCode: "Status", durationMs: "Duration", requestBodySize: "Request size", responseBodySize: "Response size",
  payloadSize: "Size", errorDomain: "Error", errorMessage: "Message", customMessage: "Note", suiteName: "Suite",
  newValue: "New value", previousValue: "Old value", valueType: "Value type", filterName: "Filter", appVersion: "App version",
  bundleId: "Bundle", osVersion: "System version", currentScreen: "Screen",
};

const first = ["method", "url", "statusCode", "durationMs", "error", "level", "tag", "message", "errorDomain", "errorMessage",
  "customMessage", "currentScreen", "key", "previousValue", "newValue"];

/** Short values as a table; long texts and objects as sections of their own. `elsewhere`: members to leave out. */
export function fields(payload, elsewhere = new Set()) {
  const keys = Object.keys(payload).filter((key) => !hidden.has(key) && !elsewhere.has(key) && payload[key] !== null);
  keys.sort((a, b) => position(a) - position(b));
  const table = [];
  const sections = [];
  for (const key of keys) {
    const value = payload[key];
    if (Array.isArray(value) && value.every((item) => item === null || typeof item !== "object")) {
      table.push(pair(key, value.join(", ")));
    } else if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      const entries = Object.entries(value);
      if (entries.length) sections.push(section(name(key), list(entries.map(([k, v]) => pair(k, scalar(v), false)))));
    } else if (Array.isArray(value)) {
      sections.push(section(name(key), h("pre.text", null, JSON.stringify(value, null, 2))));
    } else if (/trace|body$/i.test(key) || (typeof value === "string" && value.includes("\n"))) {
      sections.push(section(name(key), h("pre.text", { tabIndex: 0 }, scalar(value))));
    } else {
      table.push(pair(key, shown(key, value)));
    }
  }
  return [table.length ? list(table) : null, ...sections];
}

const position = (key) => {
  const index = first.indexOf(key);
  return index < 0 ? first.length : index;
};

export const name = (key) => Object.hasOwn(labels, key) ? labels[key] : words(key);

export const list = (pairs) => h("dl.pairs", null, pairs);

export const pair = (key, value, named = true) => [h("dt", null, named ? name(key) : key), h("dd", null, value)];

export const section = (title, ...content) => h("section", null, h("h3", null, title), content);

function shown(key, value) {
  if (key === "level" && logLevels[value]) return logLevels[value];
  if (typeof value === "number") {
    if (/ms$/i.test(key)) return duration(value);
    if (/size$|bytes$/i.test(key)) return value < 1000 ? bytes(value) : `${bytes(value)} (${value} bytes)`;
  }
  return scalar(value);
}
