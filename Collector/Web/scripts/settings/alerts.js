// Who is told of what, where, and what they were told.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { plural } from "../base/format.js";
import { send } from "../base/send.js";
import { ChannelList } from "./alert-channels.js";
import { AlertLog } from "./alert-log.js";
import { ruleDialog } from "./alert-rule.js";
import { confirmed, section } from "./parts.js";

export class AlertSection {
  element;
  #rules = h("div");
  #channels;
  #log = new AlertLog();
  #tell;
  #known = { rules: [], channels: [] };
  #apps = [];

  constructor(tell) {
    this.#tell = tell;
    this.#channels = new ChannelList(tell, () => this.#log.load());
    this.element = section("alerts", "Alerts",
      "Each rule tells once when something happens and once when it is over, and keeps quiet about the same for a while.",
      this.#rules, this.#channels.element, this.#log.element);
  }

  async show({ apps }) {
    const [known] = await Promise.all([api.get("alerts"), this.#log.load()]);
    this.#known = known;
    this.#apps = apps;
    fill(this.#rules,
      known.rules.length ? h("ul.alert-rules", null, known.rules.map((rule) => this.#rule(rule)))
        : h("p.nothing", null, h("strong", null, "No rules yet."), " A rule says what to tell: a new issue, too many crashes, requests that fail, silence."),
      h("div.buttons", null, h("button.small.primary", { type: "button", onClick: () => this.#edit(null) }, "New rule")),
      known.watch.problem ? h("p.error", null, `Not working: ${known.watch.problem}`) : null);
    this.#channels.show(known);
  }

  #rule(rule) {
    const names = this.#known.channels.filter(({ id }) => rule.channels.includes(id)).map(({ name }) => name);
    const open = this.#known.firing[rule.id] ?? 0;
    const box = h("input", { type: "checkbox", checked: rule.enabled, aria: { label: `${rule.name} is on` }, onChange: () =>
      this.#tell(send("PUT", `alerts/rules/${rule.id}`, body({ ...rule, enabled: box.checked })), box.checked ? `“${rule.name}” watches from now on.` : `“${rule.name}” is off.`) });
    return h("li", { class: rule.enabled ? "" : "off" },
      h("label.switch", { title: rule.enabled ? "On" : "Off" }, box),
      h("div.what", null, h("b", null, rule.name), h("p", null, rule.sentence),
        h("p.faint", null, names.length ? `To ${names.join(", ")}` : "To the log and the collector's terminal", open ? h("span.warn", null, ` · ${open} open now`) : null)),
      h("span.spring"),
      names.length ? h("button.small", { type: "button", aria: { label: `Send a test of ${rule.name}` }, onClick: () => this.#test(rule) }, "Send test") : null,
      h("button.small", { type: "button", aria: { label: `Edit ${rule.name}` }, onClick: () => this.#edit(rule) }, "Edit"),
      confirmed("Remove", `“${rule.name}” tells nothing any more.`, () => this.#tell(send("DELETE", `alerts/rules/${rule.id}`), `The rule “${rule.name}” was removed.`), { aria: { label: `Remove ${rule.name}` } }));
  }

  #edit(rule) {
    ruleDialog(rule, { apps: this.#apps, channels: this.#known.channels }, (made) => rule
      ? this.#tell(send("PUT", `alerts/rules/${rule.id}`, made), `The rule “${made.name || rule.name}” was saved.`)
      : this.#tell(send("POST", "alerts/rules", made), "The rule was added: it watches from now on."));
  }

  async #test(rule) {
    let failed = null;
    await this.#tell(send("POST", `alerts/rules/${rule.id}/test`).then(({ channels }) => {
      failed = channels.find(({ sent }) => !sent);
      if (failed) throw new Error(`Not sent: ${failed.reason}`);
    }), `A test of “${rule.name}” was sent to ${plural(rule.channels.length, "channel")}.`);
    // What failed is in the log as well.
    if (failed) await this.#log.load();
  }
}

/** What a rule is saved with, of what it is shown with. */
function body(rule) {
  const members = ["name", "enabled", "bundleId", "version", "issueKinds", "threshold", "minutes", "minimum", "method", "host", "route", "states", "quietMinutes", "resolved", "channels"];
  return Object.fromEntries(members.filter((name) => rule[name] !== undefined).map((name) => [name, rule[name]]));
}
