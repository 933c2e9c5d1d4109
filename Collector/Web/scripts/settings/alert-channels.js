// Where alerts go: webhooks, chats, mail. What is secret is given, and never shown again.

import { copyFrom, fill, h } from "../base/dom.js";
import { plural } from "../base/format.js";
import { send } from "../base/send.js";
import { confirmed, field, text } from "./parts.js";

const kinds = [
  ["webhook", "Webhook", "Signed JSON to an address of yours."], ["slack", "Slack", "An incoming webhook of a Slack app."],
  ["discord", "Discord", "A webhook of a channel: its settings, Integrations."], ["teams", "Microsoft Teams", "A workflow “when a Teams webhook request is received”."],
  ["pagerduty", "PagerDuty", "The integration key of a service (Events API v2)."], ["mail", "E-mail", "Your mail server, by SMTP."],
];
const names = Object.fromEntries(kinds.map(([kind, name]) => [kind, name]));

export class ChannelList {
  element = h("div.alert-part");
  #tell;
  #onRefused;

  /** `onRefused`: a test was not taken, which is in the log now. */
  constructor(tell, onRefused) { [this.#tell, this.#onRefused] = [tell, onRefused]; }

  show({ channels, waiting, publicURL }) {
    fill(this.element, h("h3", null, "Channels"),
      channels.length ? h("ul.alert-channels", null, channels.map((channel) => this.#row(channel, waiting[channel.id] ?? 0)))
        : h("p.faint", null, "None yet: alerts are told in the log, where the collector runs, and to “automobile alerts watch”."),
      h("div.buttons", null, h("button.small", { type: "button", onClick: () => this.#add() }, "New channel")),
      channels.length && !publicURL ? h("p.faint", null, "Alerts have no links: start the collector with ", h("code", null, "--public-url"), " and the address at which people open this page.") : null);
  }

  #row(channel, waiting) {
    const place = channel.kind === "mail" ? `${channel.to.join(", ")} by ${channel.host}:${channel.port}` : channel.kind === "pagerduty" ? `key ${channel.routingKey}` : channel.url;
    return h("li", null, h("b", null, channel.name), h("span.faint", null, names[channel.kind] ?? channel.kind), h("code", null, place),
      waiting ? h("span.warn", null, `${plural(waiting, "message")} waiting`) : null, h("span.spring"),
      h("button.small", { type: "button", aria: { label: `Send a test to ${channel.name}` }, onClick: () => this.#test(channel) }, "Send test"),
      confirmed("Remove", `Nothing is sent to “${channel.name}” any more; what waits for it is dropped.`, () => this.#tell(send("DELETE", `alerts/channels/${channel.id}`), `The channel “${channel.name}” was removed.`), { aria: { label: `Remove the channel ${channel.name}` } }));
  }

  async #test(channel) {
    let isRefused = false;
    await this.#tell(send("POST", `alerts/channels/${channel.id}/test`).then(({ sent, reason }) => {
      isRefused = !sent;
      if (isRefused) throw new Error(`Not sent: ${reason}`);
    }), `A test was sent to “${channel.name}”.`);
    if (isRefused) await this.#onRefused();
  }

  #add() {
    const part = parts();
    const more = h("div.channel-fields");
    const draw = () => fill(more, ...fieldsOf(part));
    part.kind.addEventListener("change", draw);
    draw();
    const problem = h("p.error", { role: "alert" });
    const dialog = document.body.appendChild(h("dialog.alert-channel", { aria: { label: "New channel" } },
      h("form", { method: "dialog", onSubmit: async (event) => {
        if (event.submitter?.value === "") return;
        event.preventDefault();
        const made = await this.#tell(send("POST", "alerts/channels", body(part)), `The channel “${part.name.value}” was added. Send it a test.`);
        if (!made) return void (problem.textContent = document.querySelector(".settings .note")?.textContent ?? "");
        dialog.close();
        if (made.secret) showSecret(made.secret);
      } },
        h("h2", null, "New channel"), h("label.setting", null, h("span", null, "Kind"), part.kind), h("label.setting", null, h("span", null, "Name"), part.name), more, problem,
        h("div.answers", null, h("button.small", { value: "", formNoValidate: true }, "Cancel"), h("button.small.primary", { value: "yes" }, "Add channel")))));
    dialog.addEventListener("close", () => dialog.remove());
    dialog.showModal();
    part.kind.focus();
  }
}

function parts() {
  const secret = (properties) => h("input", { type: "password", autocomplete: "off", spellcheck: false, ...properties });
  return {
    kind: h("select", null, kinds.map(([kind, name]) => h("option", { value: kind }, name))), name: text({ required: true, maxLength: 80, placeholder: "Team" }),
    url: text({ type: "url", required: true, maxLength: 2048, placeholder: `https:${"//"}hooks.example.com/…` }), routingKey: secret({ required: true, maxLength: 100 }),
    host: text({ required: true, maxLength: 255, placeholder: "smtp.example.com" }), port: h("input", { type: "number", min: 1, max: 65_535, step: 1, placeholder: "587" }),
    security: h("select", null, [["starttls", "STARTTLS"], ["tls", "TLS"], ["none", "not encrypted"]].map(([value, name]) => h("option", { value }, name))),
    user: text({ maxLength: 200 }), password: secret({ maxLength: 200 }), from: text({ type: "email", required: true, maxLength: 254, placeholder: "alerts@example.com" }),
    to: text({ required: true, placeholder: "lea@example.com, kim@example.com" }),
  };
}

function fieldsOf(part) {
  const explanation = h("p.faint", null, kinds.find(([kind]) => kind === part.kind.value)[2]);
  if (part.kind.value === "pagerduty") return [explanation, field("Integration key", part.routingKey)];
  if (part.kind.value !== "mail") return [explanation, field("URL", part.url)];
  return [explanation, h("div.pair", null, field("Server", part.host), field("Port", part.port)), field("Encryption", part.security),
    h("div.pair", null, field("User", part.user), field("Password", part.password)), field("From", part.from), field("To, separated by commas", part.to)];
}

function body(part) {
  const kind = part.kind.value;
  const made = { kind, name: part.name.value.trim() };
  if (kind === "pagerduty") return { ...made, routingKey: part.routingKey.value.trim() };
  if (kind !== "mail") return { ...made, url: part.url.value.trim() };
  Object.assign(made, { host: part.host.value.trim(), security: part.security.value, from: part.from.value.trim(), to: part.to.value.split(",").map((one) => one.trim()).filter(Boolean) });
  if (part.port.value) made.port = Number(part.port.value);
  if (part.user.value) Object.assign(made, { user: part.user.value, password: part.password.value });
  return made;
}

/** The only moment at which it can be read. */
function showSecret(secret) {
  const copy = h("button.small.primary", { type: "button", onClick: () => copyFrom(copy, secret) }, "Copy");
  const dialog = document.body.appendChild(h("dialog.new-key", { aria: { label: "The signing secret" } },
    h("form", { method: "dialog" }, h("h2", null, "The signing secret"),
      h("p", null, "Every message is signed with it (Standard Webhooks). Shown only once; give it to the receiver."),
      h("code.secret", { tabIndex: 0 }, secret), h("div.answers", null, copy, h("button.small", null, "Done")))));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
