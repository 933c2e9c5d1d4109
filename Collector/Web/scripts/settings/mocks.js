// Mock rules: requests that debug builds answer themselves.

import { h } from "../base/dom.js";
import { count, timeOfDay } from "../base/format.js";
import { field, text } from "./parts.js";

const failures = ["timedOut", "notConnectedToInternet", "networkConnectionLost", "cannotFindHost", "cannotConnectToHost", "secureConnectionFailed"];
const methods = ["", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

export class MockList {
  element;
  #change;

  /** @param {(change: (sections: object) => void, text: string) => Promise} change */
  constructor(document, change) {
    this.#change = change;
    const rules = Array.isArray(document.document.mocks) ? document.document.mocks : [];
    this.element = h("div.mocks", null, h("h3", null, "Mock rules"),
      rules.length ? h("ol.rules", null, rules.map((rule, index) => this.#rule(rule, index, rules)))
        : h("p.faint", null, "No rules yet. The first matching rule answers, in debug builds only; recordings show which one."),
      h("details", null, h("summary", null, "Add a rule"), this.#form(rules)));
  }

  #rule(rule, index, rules) {
    return h("li", null, h("b", null, rule.id), h("code", null, asked(rule)), h("span", null, "→"), h("code", null, answer(rule)),
      h("span.faint", null, limits(rule)), h("span.spring"),
      h("button.small", { type: "button", disabled: index === 0, aria: { label: `Move ${rule.id} up` }, onClick: () => this.#set(rules.toSpliced(index, 1).toSpliced(index - 1, 0, rule), `Moved ${rule.id} up.`) }, "Up"),
      h("button.small", { type: "button", aria: { label: `Remove ${rule.id}` }, onClick: () => this.#set(rules.toSpliced(index, 1), `The rule “${rule.id}” was removed.`) }, "Remove"));
  }

  #set(rules, told) {
    return this.#change((sections) => {
      if (rules.length) sections.mocks = rules;
      else delete sections.mocks;
    }, told);
  }

  #form(rules) {
    const part = {
      id: text({ required: true, maxLength: 100, placeholder: "sold out" }), host: text({ placeholder: "api.example.com" }),
      path: text({ placeholder: "/v1/orders/*" }), body: h("textarea", { rows: 3, spellcheck: false, placeholder: "{\"error\": \"sold out\"}" }),
      method: h("select", null, methods.map((name) => h("option", { value: name }, name || "Any"))),
      kind: h("select", null, h("option", { value: "status" }, "Answer"), failures.map((name) => h("option", { value: name }, `Fail: ${name}`)), h("option", { value: "passthrough" }, "Pass through to the network")),
      status: h("input", { type: "number", min: 200, max: 599, value: 200 }), type: text({ value: "application/json" }),
      delay: h("input", { type: "number", min: 0, max: 120_000, step: 1, placeholder: "0" }), count: h("input", { type: "number", min: 1, step: 1, placeholder: "always" }),
    };
    return h("form.rule-form", { onSubmit: (event) => {
      event.preventDefault();
      const rule = made(part);
      const at = rules.findIndex(({ id }) => id === rule.id);
      this.#set(at < 0 ? [...rules, rule] : rules.with(at, rule), `The rule “${rule.id}” was ${at < 0 ? "added" : "replaced"}.`);
    } },
      field("Name", part.id), field("Method", part.method), field("Host", part.host), field("Path", part.path),
      field("Then", part.kind), field("Status", part.status), field("Content type", part.type), field("Delay", part.delay, "ms"), field("For", part.count, "requests"),
      h("label.setting.wide", null, h("span", null, "Body"), part.body), h("button.small.primary", null, "Add rule"));
  }
}

function made({ id, host, path, method, kind, status, type, body, delay, count: limit }) {
  const match = {};
  if (method.value) match.method = method.value;
  if (host.value) match.host = host.value;
  if (path.value) match.path = path.value;
  const respond = {};
  if (delay.value > 0) respond.delayMs = Number(delay.value);
  if (kind.value === "passthrough") respond.passthrough = true;
  else if (kind.value !== "status") respond.failure = kind.value;
  else {
    respond.status = Number(status.value);
    if (type.value) respond.headers = { "Content-Type": type.value };
    if (body.value) respond.body = body.value;
  }
  const rule = { id: id.value, respond };
  if (Object.keys(match).length) rule.match = match;
  if (limit.value) rule.count = Number(limit.value);
  return rule;
}

function asked({ match = {} }) {
  const path = typeof match.path === "object" && match.path ? `/${match.path.regex}/` : match.path ?? "";
  return [match.method ?? "any", `${match.host ?? "*"}${path}`].join(" ");
}

const answer = ({ respond = {} }) => respond.passthrough ? "the network" : respond.failure ?? String(respond.status ?? "?");

const limits = (rule) => [
  rule.respond?.delayMs ? `after ${count(rule.respond.delayMs)} ms` : null, rule.count ? `${count(rule.count)} times` : null,
  rule.expiresAt ? `until ${timeOfDay(rule.expiresAt)}` : null,
].filter(Boolean).join(", ");
