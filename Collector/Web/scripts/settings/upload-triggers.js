// What a rule can wait for: the fields of each trigger, and how it reads. Documentation/FlightRecorder.md has them in full.

import { h } from "../base/dom.js";
import { duration, plural } from "../base/format.js";

const levels = ["verbose", "debug", "info", "warning", "error", "fault"];
const types = ["custom", "navigation", "interaction", "network_request", "websocket_frame", "log", "lifecycle", "storage_changed", "notification_action",
  "view_body_snapshot", "broadcast", "span", "hang", "handled_exception", "crash", "session_summary"];
const ms = (name, label, standard) => ({ name, label, kind: "number", min: 0, max: 86_400_000, unit: "ms", standard });
const words = (name, label, hint, most) => ({ name, label, kind: "text", placeholder: hint, most });

/** By name, in the order in which they are offered. One without fields is `true` in the document. */
export const triggers = {
  crash: { name: "the app crashes", says: () => "the app crashes" },
  unexpectedEnd: { name: "a launch ends unexpectedly", says: () => "the launch before ended unexpectedly" },
  hang: { name: "the app hangs", fields: [ms("atLeastMs", "for at least", 2000)], says: ({ atLeastMs }) => `the app hangs for ${time(atLeastMs)}` },
  handledFailure: { name: "the app reports an error", says: () => "the app reports an error" },
  request: {
    name: "a request is made", fields: [
      { name: "failed", label: "that", kind: "choice", options: [["", "may have failed or not"], [true, "failed"], [false, "did not fail"]], standard: true },
      words("method", "with the method", "any", 20), words("host", "to the host", "*.example.com", 255), words("path", "and a path that begins with", "/checkout", 500),
      { name: "status", label: "with the status", kind: "status", placeholder: "404, 5xx, 500-503" }, { ...ms("atLeastMs", "that took at least"), placeholder: "any" }],
    says: request,
  },
  rageTap: { name: "somebody taps in anger", says: () => "somebody taps in anger" },
  deadTap: { name: "a tap does nothing", says: () => "a tap does nothing" },
  slowLaunch: { name: "the app starts slowly", fields: [ms("atLeastMs", "in at least", 3000)], says: ({ atLeastMs }) => `the app takes ${time(atLeastMs)} to start` },
  frozenFrames: {
    name: "frames freeze", fields: [{ name: "atLeast", label: "at least", kind: "number", min: 1, max: 100_000, unit: "at a time", standard: 5 }],
    says: ({ atLeast = 1 }) => `${typeof atLeast === "number" ? plural(atLeast, "frame") : "frames"} or more freeze`,
  },
  log: {
    name: "something is logged", fields: [{ name: "level", label: "at the level", kind: "choice", options: levels.map((level) => [level, `${level}${level === "fault" ? "" : " or above"}`]), standard: "error" }, words("tag", "with the tag", "any", 200)],
    says: ({ level, tag }) => `something is logged at ${level}${level === "fault" ? "" : " or above"}${tag ? `, tagged ${tag}` : ""}`,
  },
  event: {
    name: "an event is recorded", fields: [{ name: "type", label: "of the type", kind: "choice", options: [["", "any"], ...types.map((type) => [type, type])], standard: "custom" }, words("name", "with the name", "any", 200), { name: "where", kind: "conditions" }],
    says: event,
  },
  capture: { name: "the app asks for it", says: () => "the app asks for it" },
  sessions: {
    name: "a session begins, for a share of all", fields: [{ name: "fraction", label: "for", kind: "percent", min: 0, max: 100, unit: "% of sessions", standard: 0.01 }],
    says: ({ fraction }) => `a session is among ${typeof fraction === "number" ? Number((fraction * 100).toPrecision(6)) : "?"} % of all`,
  },
};

/** What a rule waits for, in words; null when this page does not know it. */
export function said(when) {
  const names = when && typeof when === "object" ? Object.keys(when) : [];
  const trigger = names.length === 1 && Object.hasOwn(triggers, names[0]) ? triggers[names[0]] : null;
  const content = trigger && when[names[0]];
  if (!trigger || (trigger.fields ? !content || typeof content !== "object" || Array.isArray(content) : content !== true)) return null;
  return trigger.says(content);
}

/** A trigger as it is when it is chosen. */
export function fresh(kind) {
  const { fields } = triggers[kind];
  return { [kind]: fields ? Object.fromEntries(fields.filter(({ standard }) => standard !== undefined).map(({ name, standard }) => [name, standard])) : true };
}

const time = (value) => typeof value === "number" ? `${duration(value)} or more` : "…";

function request({ failed, method, host, path, status, atLeastMs }) {
  return ["a request", method, host ? `to ${host}` : null, path, failed === true ? "fails" : failed === false ? "does not fail" : "is made",
    status === undefined ? null : `with status ${status}`, atLeastMs === undefined ? null : `and takes ${time(atLeastMs)}`].filter(Boolean).join(" ");
}

function event({ type, name, where }) {
  const tests = { equals: "is", contains: "contains", atLeast: "≥", atMost: "≤" };
  const conditions = (Array.isArray(where) ? where : []).map((one) => {
    const test = Object.keys(one ?? {}).find((key) => key !== "field");
    return `${one?.field ?? "?"} ${tests[test] ?? "?"} ${one?.[test] ?? "?"}`;
  });
  return ["an event", type && type !== "custom" ? `of type ${type}` : null, name ? `named ${name}` : null, "is recorded", conditions.length ? `with ${conditions.join(" and ")}` : null].filter(Boolean).join(" ");
}

/** What most apps begin with: the SDK's `UploadRules.standard`. */
export const usual = () => [
  { name: "crash", when: { crash: true }, send: { minutesBefore: 5, minutesAfter: 0, priority: 9 } },
  { name: "unexpected end", when: { unexpectedEnd: true }, send: { minutesBefore: 5, minutesAfter: 0, priority: 8 } },
  { name: "hang", when: { hang: { atLeastMs: 2000 } }, send: { perDay: 20 } },
  { name: "failed request", when: { request: { failed: true } }, send: { perDay: 20 } },
  { name: "rage tap", when: { rageTap: true }, send: { perDay: 20 } },
  { name: "capture", when: { capture: true }, send: { minutesBefore: 10, minutesAfter: 1, perDay: 20, priority: 7 } },
];

/** One gap for a field of `content`; `onChange` is called after each change. `path` is its place in the document. */
export function gap(field, content, path, onChange) {
  const set = (value) => {
    if (value === "" || value === undefined) delete content[field.name];
    else content[field.name] = value;
    onChange();
  };
  const value = content[field.name];
  const common = { id: null, data: { place: path }, aria: { label: field.label } };
  switch (field.kind) {
    case "choice": {
      const select = h("select", { ...common, onChange: () => set(field.options[select.selectedIndex][0]) }, field.options.map(([known, name]) => h("option", { selected: known === (value ?? "") }, name)));
      return select;
    }
    case "number": return h("input", { ...common, type: "number", min: field.min, max: field.max, step: "any", value: value ?? "", placeholder: field.placeholder ?? "", onInput: ({ target }) => set(numberOf(target)) });
    case "percent": return h("input", { ...common, type: "number", min: field.min, max: field.max, step: "any", value: typeof value === "number" ? Number((value * 100).toPrecision(12)) : "", onInput: ({ target }) => {
      const percent = numberOf(target);
      set(typeof percent === "number" ? Number((percent / 100).toPrecision(12)) : percent);
    } });
    case "status": return h("input", { ...common, type: "text", autocomplete: "off", spellcheck: false, value: value ?? "", placeholder: field.placeholder, onInput: ({ target }) => {
      const typed = target.value.trim();
      set(/^\d{3}$/.test(typed) ? Number(typed) : typed);
    } });
    default: return h("input", { ...common, type: "text", autocomplete: "off", spellcheck: false, maxLength: field.most, value: value ?? "", placeholder: field.placeholder ?? "", onInput: ({ target }) => set(target.value.trim()) });
  }
}

/** What was typed, also when it is no number: who reads the document says so. */
export const numberOf = (input) => input.validity.badInput ? "no number" : input.value === "" ? "" : Number(input.value);
