// Where everything is passed on to, in OpenTelemetry's words, and how far that has come.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { ago, count, plural } from "../base/format.js";
import { send } from "../base/send.js";
import { forwarderDialog } from "./forwarder-form.js";
import { confirmed, section } from "./parts.js";

const states = { up_to_date: ["up to date", "good"], sending: ["sending", ""], waiting: ["waiting", "warn"], blocked: ["blocked", "error"], paused: ["paused", "faint"] };

export class ForwarderSection {
  element;
  #list = h("div");
  #tell;
  #apps = [];

  constructor(tell) {
    this.#tell = tell;
    this.element = section("forwarders", "Forwarders", "Logs and spans go on to receivers of OpenTelemetry's protocol as they come; what waits for a receiver stays in the collector.", this.#list);
  }

  async show({ apps }) {
    this.#apps = apps;
    const { forwarders } = await api.get("forwarders");
    fill(this.#list,
      forwarders.length ? h("ul.forwarders", null, forwarders.map((forwarder) => this.#row(forwarder)))
        : h("p.nothing", null, h("strong", null, "No forwarders yet."), " One passes on what comes to a receiver: an OpenTelemetry Collector, or a backend that speaks OTLP over HTTP."),
      h("div.buttons", null, h("button.small.primary", { type: "button", onClick: () => this.#add() }, "New forwarder")));
  }

  #row(forwarder) {
    const { id, name, paused, lanes } = forwarder;
    return h("li", null,
      h("div.forwarder", null, h("b", null, name), " ", h("code", null, forwarder.url), h("p.faint", null, about(forwarder)),
        h("ul", null, lanes.filter(({ state }) => state !== "unused").map(laneLine))),
      h("div.buttons", null,
        h("button.small", { type: "button", aria: { label: `Send a test to ${name}` }, onClick: () => this.#test(forwarder) }, "Send test"),
        h("button.small", { type: "button", aria: { label: `${paused ? "Resume" : "Pause"} ${name}` }, onClick: () => this.#set(forwarder, !paused) }, paused ? "Resume" : "Pause"),
        lanes.some(({ state }) => state === "blocked") ? h("button.small", { type: "button", aria: { label: `Try ${name} again` }, onClick: () => this.#set(forwarder, false) }, "Try again") : null,
        confirmed("Remove", `Nothing is sent to “${name}” any more; what waits for it is not sent.`, () => this.#tell(send("DELETE", `forwarders/${id}`), `The forwarder “${name}” was removed.`), { aria: { label: `Remove the forwarder ${name}` } })));
  }

  #set({ id, name }, paused) {
    return this.#tell(send("PUT", `forwarders/${id}`, { paused }), paused ? `“${name}” is paused: what comes waits.` : `“${name}” goes on where it was.`);
  }

  #test({ id, name }) {
    return this.#tell(send("POST", `forwarders/${id}/test`, {}).then(({ signals }) => {
      const failed = signals.filter(({ sent }) => !sent);
      if (failed.length) throw new Error(`Not taken: ${failed.map(({ signal, reason }) => `${signal}: ${reason}`).join("; ")}`);
    }), `“${name}” took the test.`);
  }

  #add() {
    forwarderDialog(this.#apps, (made) => this.#tell(send("POST", "forwarders", made), "The forwarder was added. Send it a test."));
  }
}

function about({ format, gzip, headers, types, level, bundleId, mostBehind }) {
  return [
    format + (gzip ? ", gzip" : ""), headers.length ? `with ${headers.join(", ")}` : null, types.length ? types.join(", ") : "all types",
    level === "verbose" ? null : `${level} and above`, bundleId ?? "all apps", mostBehind === null ? null : `at most ${plural(mostBehind, "event")} wait`,
  ].filter(Boolean).join(" · ");
}

function laneLine(lane) {
  const [word, tone] = states[lane.state] ?? [lane.state, ""];
  const lost = lane.expired + lane.passedOver;
  return h("li", null, h("span", null, lane.signal === "logs" ? "Logs" : "Spans"), h("span", { class: tone }, word),
    h("span", null, `${count(lane.sent)} sent`), lane.behind ? h("span", null, `${plural(lane.behind, "event")} behind`) : null,
    lane.lastSent ? h("span.faint", null, ago(lane.lastSent)) : null,
    lane.rejected ? h("span.warn", null, `${count(lane.rejected)} not taken`) : null,
    lost ? h("span.error", { title: `${count(lane.expired)} deleted by retention, ${count(lane.passedOver)} left out because too much waited` }, `${count(lost)} dropped`) : null,
    lane.reason ? h("p", { class: tone }, lane.reason, lane.attempts ? ` (${plural(lane.attempts, "attempt")})` : "") : null,
    lane.refusal ? h("p.faint", null, `The receiver said, ${ago(lane.refusedAt)}: ${lane.refusal}`) : null);
}
