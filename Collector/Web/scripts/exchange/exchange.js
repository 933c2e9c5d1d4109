// A request, whole: where it went, how long each part took, what was sent and what came back.

import { copyFrom, fill, h } from "../base/dom.js";
import { bytes, duration } from "../base/format.js";
import { save, text } from "../base/download.js";
import * as route from "../base/route.js";
import { list, pair } from "../detail/fields.js";
import { addressOf, badgeOf, isUnfinished, phrase, toneOf } from "./address.js";
import { bodyView } from "./body.js";
import { frameList } from "./frames.js";
import { askToResend } from "./resend.js";
import { timing } from "./timing.js";

/**
 * @param {object} event  a network_request, as the API gives it
 * @param {{frames: object[], frameCount: number|undefined}} about
 */
export function exchange(event, { frames, frameCount }) {
  const payload = event.payload ?? {};
  const address = addressOf(payload);
  return [
    h("div.exchange-head", null,
      h(`span.status.${toneOf(payload) || "fine"}`, null, [badgeOf(payload), phrase(payload.statusCode)].filter(Boolean).join(" ")),
      payload.mockRule ? h("span.tag.mock", { title: "A mock rule answered, not the network" }, "mocked by ", h("b", null, String(payload.mockRule))) : null,
      Number.isFinite(payload.durationMs) ? h("span.faint", null, duration(payload.durationMs)) : null,
      sizes(payload) ? h("span.faint", null, sizes(payload)) : null),
    payload.error ? failure(payload) : isUnfinished(payload) ? unfinished() : null,
    actions(event),
    bodies([["Response", {
      text: payload.responseBody, size: payload.responseBodySize, encoding: payload.responseBodyEncoding,
      stayed: payload.responseBodyNotSent === true,
      type: typeof payload.contentType === "string" ? payload.contentType : header(payload.responseHeaders, "content-type"),
      name: fileName(address, "response"),
    }], ["Request", {
      text: payload.requestBody, size: payload.requestBodySize, encoding: payload.requestBodyEncoding,
      stayed: payload.requestBodyNotSent === true,
      type: header(payload.requestHeaders, "content-type"), name: fileName(address, "request"),
    }]]),
    section("Timing", timing(payload)),
    where(address),
    redirects(payload.redirects),
    headerList("Request headers", payload.requestHeaders),
    headerList("Response headers", payload.responseHeaders),
    frameList(frames, event.timestamp, frameCount),
    section("Trace names", trace(payload)),
    section("Connection", facts(payload)),
  ];
}

/** Members of the event that this shows; the rest goes under its own name. */
export const shown = new Set(["method", "url", "host", "path", "statusCode", "durationMs", "error", "errorDomain", "errorCode",
  "redirects", "timings", "transport", "requestHeaders", "responseHeaders", "requestBody", "requestBodySize", "requestBodyEncoding",
  "responseBody", "responseBodySize", "responseBodyEncoding", "contentType", "mockRule", "tracerId", "traceparent", "traceId", "parentSpanId",
  "graphQLOperation", "source", "requestId", "unfinished", "requestBodyNotSent", "responseBodyNotSent"]);

const section = (title, content) => content ? h("section", null, h("h3", null, title), content) : null;

const failure = (payload) => h("p.failure", null, String(payload.error),
  payload.errorDomain ? h("small", null, [payload.errorDomain, payload.errorCode].filter((part) => part !== undefined).join(" ")) : null);

const unfinished = () => h("p.failure.unfinished", null, "The app ended before a response arrived",
  h("small", null, "Recorded when the request started: anything received before the app ended is unknown."));

const sizes = ({ transport, requestBodySize, responseBodySize }) => {
  const up = transport?.bytesSent ?? requestBodySize;
  const down = transport?.bytesReceived ?? responseBodySize;
  return [up > 0 ? `↑ ${bytes(up)}` : null, down >= 0 ? `↓ ${bytes(down)}` : null].filter(Boolean).join("  ");
};

function actions(event) {
  const { id } = event;
  const path = `network/${encodeURIComponent(id)}`;
  const copy = (label, kind) => {
    const button = h("button.small", { type: "button", onClick: async () => {
      try {
        await copyFrom(button, await text(`${path}/${kind}`));
      } catch {
        button.textContent = "Not available";
      }
    } }, label);
    return button;
  };
  return h("div.actions", null, copy("Copy as cURL", "curl"), copy("Copy as fetch", "fetch"), copy("Copy as text", "text"),
    h("button.small", { type: "button", onClick: () => save(`${path}/har`, `request-${id}.har`).catch(() => {}) }, "Save HAR"),
    h("button.small", { type: "button", onClick: () => askToResend(event) }, "Resend…"),
    // Only where others are to choose from.
    document.body.dataset.view === "network" ? h("button.small", {
      type: "button", title: "Compare with another request (v)", onClick: () => document.dispatchEvent(new Event("comparerequest")),
    }, "Compare…") : null);
}

function where({ scheme, host, path, query, whole }) {
  const copy = h("button.small", { type: "button", onClick: () => copyFrom(copy, whole) }, "Copy URL");
  return h("section", null, h("h3", null, "Address", h("span.spring"), copy),
    list([
      host ? pair("Host", [host, scheme ? h("span.faint", null, `  ${scheme}`) : null], false) : null,
      pair("Path", path, false),
      query.map(([key, value]) => [h("dt.parameter", null, `?${key}`), h("dd", null, value)]),
    ]));
}

function redirects(hops) {
  if (!Array.isArray(hops) || !hops.length) return null;
  return section("Redirects", h("ol.hops", null, hops.slice(0, 50).map((hop) => h("li", null,
    h("span.status.fine", null, String(hop?.statusCode ?? "?")), h("span", null, String(hop?.location ?? "")),
    Number.isFinite(hop?.atMs) ? h("span.n", null, duration(hop.atMs)) : null))));
}

/** Which of the bodies one looked at last. */
let wanted = "Response";

/** The bodies, one of them shown: where it was left, else the one that there is. Above everything that is longer. */
function bodies(sides) {
  const there = sides.map(([title, body]) => ({ title, body, view: bodyView(body) })).filter(({ view }) => view);
  if (!there.length) return null;
  const about = h("span.about");
  const surface = h("div.side");
  const show = (one) => {
    fill(surface, one.view);
    about.textContent = [one.body.type.split(";")[0], one.body.size > 0 ? bytes(one.body.size) : null].filter(Boolean).join(" · ");
    for (const button of buttons) button.ariaPressed = String(button.textContent === one.title);
  };
  const buttons = there.map((one) => h("button", { type: "button", aria: { pressed: "false" }, onClick: () => {
    wanted = one.title;
    show(one);
  } }, one.title));
  show(there.find(({ title }) => title === wanted) ?? there[0]);
  return h("section.bodies", null, h("h3", null, there.length > 1 ? h("div.choices", { role: "group", aria: { label: "Body" } }, buttons) : `${there[0].title} body`, about), surface);
}

function headerList(title, headers) {
  const named = headers !== null && typeof headers === "object" ? Object.entries(headers) : [];
  if (!named.length) return null;
  return h("section", null, h("h3", null, title), h("details.headers", { open: named.length <= 12 },
    h("summary", null, `${named.length} header${named.length === 1 ? "" : "s"}`),
    h("dl.pairs", null, named.sort(([a], [b]) => a.localeCompare(b)).map(([key, value]) => [h("dt", null, key), h("dd", null, String(value))]))));
}

/** What follows the request through the services that it goes to. */
function trace({ tracerId, traceparent }) {
  const pairs = [
    tracerId ? pair("Tracer ID", h("a.go", { href: route.address({ view: "network", tracer: String(tracerId) }), title: "All requests with this ID" },
      String(tracerId)), false) : null,
    traceparent ? pair("traceparent", String(traceparent), false) : null,
  ].filter(Boolean);
  return pairs.length ? list(pairs) : null;
}

function facts(payload) {
  const { transport, graphQLOperation, source, requestId } = payload;
  const wire = transport !== null && typeof transport === "object" ? transport : {};
  const how = [wire.protocolName, wire.tlsVersion, wire.isReused ? "connection reused" : null, wire.isCached ? "from the cache" : null,
    wire.isProxied ? "through a proxy" : null].filter(Boolean).join(" · ");
  const pairs = [
    graphQLOperation ? pair("GraphQL", String(graphQLOperation), false) : null,
    how ? pair("Protocol", how, false) : null,
    wire.remoteAddress ? pair("Address", String(wire.remoteAddress), false) : null,
    source ? pair("Captured by", String(source) === "urlprotocol" ? "URLProtocol" : String(source), false) : null,
    requestId ? pair("Request id", String(requestId), false) : null,
  ].filter(Boolean);
  return pairs.length ? list(pairs) : null;
}

const header = (headers, name) => {
  const found = Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return typeof found?.[1] === "string" ? found[1] : "";
};

/** The last part of the path, as a file may be called. */
const fileName = ({ path }, otherwise) =>
  path.split("/").at(-1).replaceAll(/[^\w.-]/g, "_").slice(-60) || otherwise;
