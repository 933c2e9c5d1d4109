// What is removed from what apps send, before anything of it is written.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { count } from "../base/format.js";
import { send } from "../base/send.js";
import { confirmed, emptying, field, section, text } from "./parts.js";

const patterns = {
  email: "E-mail addresses", card: "Payment cards (check digit)", token: "Bearer tokens and JWTs", iban: "IBANs (check digits)",
  ip: "IP addresses", phone: "Phone numbers (+…)",
};

export class RedactionSection {
  element;
  #tell;
  #what = h("select", { aria: { label: "What to redact" }, onChange: () => { this.#name.hidden = this.#what.value !== "field"; } },
    Object.entries(patterns).map(([value, word]) => h("option", { value }, word)), h("option", { value: "field" }, "A field…"));
  #name = text({ hidden: true, placeholder: "password", aria: { label: "Field name" } });
  #project = text({ placeholder: "All apps", aria: { label: "App of the rule" } });
  #rows = h("div.rows");
  #tried = text({ placeholder: "mail to mira@example.com", aria: { label: "Text to test" } });
  #result = h("p.faint", { role: "status" });

  constructor(tell) {
    this.#tell = tell;
    this.element = section("redaction", "Redaction",
      "Removed from events, logs, requests and bodies before anything is written. A rule holds for what comes from then on.",
      this.#rows,
      h("form.inline", { onSubmit: (event) => { event.preventDefault(); this.#add(); } }, this.#what, this.#name, this.#project, h("button.small.primary", null, "Redact it")),
      h("form.inline", { onSubmit: (event) => { event.preventDefault(); this.#test(); } }, field("Test a text", this.#tried), h("button.small", null, "Test")), this.#result);
  }

  async show() {
    try {
      const { rules } = await api.get("redactions");
      fill(this.#rows, rules.length ? rules.map((rule) => this.#row(rule)) : h("p.hint", null, "Nothing is redacted."));
    } catch (error) {
      if (error.status !== 401 && error.status !== 403) throw error;
      fill(this.#rows, h("p.faint", null, "Read by operators."));
    }
  }

  #body() {
    const project = this.#project.value.trim() || null;
    return this.#what.value === "field" ? { project, field: this.#name.value.trim() } : { project, pattern: this.#what.value };
  }

  async #add() {
    const empty = emptying(this.#name);
    if (await this.#tell(send("POST", "redactions", this.#body()), "The rule was added. It holds for what comes from now on.")) empty();
  }

  async #test() {
    const { project, field: name, pattern } = this.#body();
    try {
      const { text: shown, redacted } = await send("POST", "redactions/test", { text: this.#tried.value, project, patterns: pattern ? [pattern] : [], fields: name ? [name] : [] });
      this.#result.textContent = `${shown} (${count(redacted)} redacted)`;
    } catch (error) {
      this.#result.textContent = error.message;
    }
  }

  #row(rule) {
    const name = rule.kind === "pattern" ? patterns[rule.value] ?? rule.value : `Field “${rule.value}”`;
    return h("div.setting-row", null, h("b", null, name), h("span.faint", null, rule.project ?? "All apps"), h("span.faint", null, `${count(rule.redacted)} redacted`),
      confirmed("Remove", `${name} are written as they come from then on.`, () => this.#tell(send("DELETE", `redactions/${rule.id}`), "The rule was removed."), { aria: { label: `Remove ${name}` } }));
  }
}
