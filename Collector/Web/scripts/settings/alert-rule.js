// One rule, as a sentence with gaps.

import { fill, h } from "../base/dom.js";
import { text } from "./parts.js";

const kinds = [
  ["new_issue", "a new issue appears"], ["regression", "a resolved issue comes back"], ["issue_rate", "an issue happens too often"],
  ["crash_free", "too many sessions crash"], ["request_errors", "too many requests fail"], ["silence", "nothing is received"],
  ["ask", "what was asked for of devices"],
];
const states = [["came", "comes"], ["gone", "is gone"]];
const issueKinds = [["crash", "crashes"], ["hang", "hangs"], ["failure", "failures"]];
const times = [[5, "5 minutes"], [15, "15 minutes"], [30, "30 minutes"], [60, "an hour"], [180, "3 hours"], [360, "6 hours"], [1440, "a day"], [4320, "3 days"], [10_080, "a week"]];
const quiets = [[0, "always"], [15, "not again for 15 minutes"], [60, "not again for an hour"], [360, "not again for 6 hours"], [1440, "not again for a day"]];

/** Asks for a rule, and gives it to `save`; stays open with what was typed when the collector refuses. */
export function ruleDialog(rule, { apps, channels }, save) {
  const part = parts(rule, apps, channels);
  const sentence = h("div.sentence");
  const draw = () => fill(sentence, ...words(part));
  part.kind.addEventListener("change", () => {
    if (!rule) part.defaults(part.kind.value);
    draw();
  });
  draw();
  const problem = h("p.error", { role: "alert" });
  const dialog = document.body.appendChild(h("dialog.alert-rule", { aria: { label: rule ? "Edit the rule" : "New rule" } },
    h("form", { method: "dialog", onSubmit: async (event) => {
      if (event.submitter?.value === "") return;
      event.preventDefault();
      if (await save(made(part))) dialog.close();
      else problem.textContent = document.querySelector(".settings .note")?.textContent ?? "";
    } },
      h("h2", null, rule ? "Edit the rule" : "New rule"), sentence,
      h("label.setting", null, h("span", null, "Name"), part.name), problem,
      h("div.answers", null, h("button.small", { value: "", formNoValidate: true }, "Cancel"), h("button.small.primary", { value: "yes" }, rule ? "Save rule" : "Add rule")))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  (rule ? part.name : part.kind).focus();
}

function parts(rule, apps, channels) {
  const select = (label, options, value) => h("select", { aria: { label } },
    (options.some(([known]) => known === value) ? options : [...options, [value, `${value} minutes`]]).map(([known, name]) => h("option", { value: known, selected: known === value }, name)));
  const number = (label, value, properties) => h("input", { type: "number", required: true, value, aria: { label }, ...properties });
  const part = {
    kind: h("select", { aria: { label: "What happens" }, disabled: Boolean(rule) }, kinds.map(([value, name]) => h("option", { value, selected: value === rule?.kind }, name))),
    app: text({ value: rule?.bundleId ?? "", placeholder: "any app", list: "alert-apps", maxLength: 200, aria: { label: "App" } }),
    apps: h("datalist", { id: "alert-apps" }, apps.map(({ bundleId }) => h("option", { value: bundleId }))),
    version: text({ value: rule?.version ?? "", placeholder: "any", maxLength: 100, aria: { label: "Version" } }),
    issues: issueKinds.map(([value, name]) => [name, h("input", { type: "checkbox", value, checked: !rule?.issueKinds || rule.issueKinds.includes(value) })]),
    states: states.map(([value, name]) => [name, h("input", { type: "checkbox", value, checked: !rule?.states || rule.states.includes(value) })]),
    count: number("Reports", rule?.kind === "issue_rate" ? rule.threshold : 100, { min: 1, max: 1_000_000, step: 1 }),
    percent: number("Percent", rule?.threshold ?? 99, { min: 0, max: 100, step: "any" }),
    minutes: select("Within", times, rule?.minutes ?? 60),
    minimum: number("At least", rule?.minimum ?? 20, { min: 1, max: 1_000_000, step: 1 }),
    method: text({ value: rule?.method ?? "", placeholder: "any method", maxLength: 20, aria: { label: "Method" } }),
    host: text({ value: rule?.host ?? "", placeholder: "any host", maxLength: 255, aria: { label: "Host" } }),
    route: text({ value: rule?.route ?? "", placeholder: "any route", maxLength: 1000, aria: { label: "Route" } }),
    quiet: select("About the same", quiets, rule?.quietMinutes ?? 60),
    resolved: h("input", { type: "checkbox", checked: rule?.resolved ?? true }),
    channels: channels.map(({ id, name }) => [name, h("input", { type: "checkbox", value: id, checked: rule ? rule.channels.includes(id) : channels.length === 1 })]),
    name: text({ value: rule?.name ?? "", placeholder: "as the rule says", maxLength: 80 }),
    enabled: rule?.enabled ?? true,
    defaults(kind) {
      part.minutes.value = kind === "crash_free" ? 1440 : 60;
      part.percent.value = kind === "crash_free" ? 99 : 5;
    },
  };
  return part;
}

const boxes = (label, list) => h("span.boxes", { role: "group", aria: { label } }, list.map(([name, box]) => h("label.box", null, box, h("span", null, name))));

/** The sentence, with a gap for everything that can be chosen. */
function words(part) {
  const app = ["in", part.app, "version", part.version, part.apps];
  const end = ["tell", part.channels.length ? boxes("Channels", part.channels) : h("span.faint", null, "the log and the collector's terminal (there are no channels yet)"), "and about the same", part.quiet];
  const over = h("label.box", null, part.resolved, h("span", null, "tell also when it is over"));
  const line = (...children) => h("p.gap-line", null, children.map((child) => typeof child === "string" ? h("span", null, child) : child));
  switch (part.kind.value) {
    case "issue_rate": return [line("When", part.kind, ...app), line("more than", part.count, "reports of one issue within", part.minutes), line("of", boxes("Issues", part.issues)), line(...end), line(over)];
    case "crash_free": return [line("When", part.kind, ...app), line("fewer than", part.percent, "% of sessions within", part.minutes, "are without a crash, of at least", part.minimum), line(...end), line(over)];
    case "request_errors": return [line("When", part.kind, ...app), line("to", part.method, part.host, part.route), line("more than", part.percent, "% within", part.minutes, "of at least", part.minimum, "requests"), line(...end), line(over)];
    case "ask": return [line("When", part.kind, boxes("States", part.states), "in", part.app, part.apps), line(...end)];
    case "silence": return [line("When", part.kind, ...app), line("for", part.minutes), line(...end), line(over)];
    default: return [line("When", part.kind, ...app), line("of", boxes("Issues", part.issues)), line(...end)];
  }
}

/** The rule, as the collector takes it. */
function made(part) {
  const kind = part.kind.value;
  const rule = { kind, enabled: part.enabled, quietMinutes: Number(part.quiet.value), resolved: part.resolved.checked, channels: part.channels.map(([, box]) => box).filter((box) => box.checked).map((box) => Number(box.value)) };
  const put = (name, input) => { if (input.value.trim()) rule[name] = input.value.trim(); };
  put("name", part.name);
  put("bundleId", part.app);
  if (kind !== "ask") put("version", part.version);
  // Some of them: all are what holds when none is named.
  const some = (name, list) => {
    const chosen = list.map(([, box]) => box).filter((box) => box.checked).map((box) => box.value);
    if (chosen.length && chosen.length < list.length) rule[name] = chosen;
  };
  if (kind === "ask") some("states", part.states);
  else if (["new_issue", "regression", "issue_rate"].includes(kind)) some("issueKinds", part.issues);
  else rule.minutes = Number(part.minutes.value);
  if (kind === "issue_rate") Object.assign(rule, { minutes: Number(part.minutes.value), threshold: Number(part.count.value) });
  if (kind === "crash_free" || kind === "request_errors") Object.assign(rule, { threshold: Number(part.percent.value), minimum: Number(part.minimum.value) });
  if (kind === "request_errors") for (const name of ["method", "host", "route"]) put(name, part[name]);
  return rule;
}
