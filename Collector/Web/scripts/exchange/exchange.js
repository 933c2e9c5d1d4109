// A request, whole: where it went, how long each part took, what was sent and what came back.

import { copyFrom, h } from "../base/dom.js";
import { bytes, duration } from "../base/format.js";
import { save, text } from "../base/download.js";
import * as route from "../base/route.js";
import { list, pair } from "../detail/fields.js";
import { addressOf, badgeOf, isUnfinished, phrase, toneOf } from "./address.js";
import { bodyView } from "./body.js";
import { frameList } from "./frames.js";
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
    where(address),
    redirects(payload.redirects),
    section("Timing", timing(payload)),
    side("Request", payload.requestHeaders, {
      text: payload.requestBody, size: payload.requestBodySize, encoding: payload.requestBodyEncoding,
      type: header(payload.requestHeaders, "content-type"), name: fileName(address, "request"),
    }),
    side("Response", payload.responseHeaders, {
      text: payload.responseBody, size: payload.responseBodySize, encoding: payload.responseBodyEncoding,
      type: typeof payload.contentType === "string" ? payload.contentType : header(payload.responseHeaders, "content-type"),
      name: fileName(address, "response"),
    }),
    frameList(frames, event.timestamp, frameCount),
    section("Connection", facts(payload)),
  ];
}

/** Members of the event that this shows; the rest goes under its own name. */
export const shown = new Set(["method", "url", "host", "path", "statusCode", "durationMs", "error", "errorDomain", "errorCode",
  "redirects", "timings", "transport", "requestHeaders", "responseHeaders", "requestBody", "requestBodySize", "requestBodyEncoding",
  "responseBody", "responseBodySize", "responseBodyEncoding", "contentType", "mockRule", "tracerId", "traceparent",
  "graphQLOperation", "source", "requestId", "unfinished"]);

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

function actions({ id }) {
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
  return h("div.actions", null, copy("Copy as cURL", "curl"), copy("Copy as text", "text"),
    h("button.small", { type: "button", onClick: () => save(`${path}/har`, `request-${id}.har`).catch(() => {}) }, "Save HAR"));
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

function side(title, headers, body) {
  const named = headers !== null && typeof headers === "object" ? Object.entries(headers) : [];
  const view = bodyView(body);
  if (!named.length && !view) return null;
  const about = [body.type.split(";")[0], body.size > 0 ? bytes(body.size) : null].filter(Boolean).join(" · ");
  return h("section.side", null, h("h3", null, title, h("span.about", null, about)),
    named.length ? h("details.headers", { open: named.length <= 8 },
      h("summary", null, `${named.length} header${named.length === 1 ? "" : "s"}`),
      h("dl.pairs", null, named.sort(([a], [b]) => a.localeCompare(b)).map(([key, value]) => [h("dt", null, key), h("dd", null, String(value))])))
      : null,
    view);
}

function facts(payload) {
  const { transport, tracerId, traceparent, graphQLOperation, source, requestId } = payload;
  const wire = transport !== null && typeof transport === "object" ? transport : {};
  const how = [wire.protocolName, wire.tlsVersion, wire.isReused ? "connection reused" : null, wire.isCached ? "from the cache" : null,
    wire.isProxied ? "through a proxy" : null].filter(Boolean).join(" · ");
  const pairs = [
    graphQLOperation ? pair("GraphQL", String(graphQLOperation), false) : null,
    tracerId ? pair("Tracer id", h("a.go", { href: route.address({ view: "network", tracer: String(tracerId) }), title: "All requests with this id" },
      String(tracerId)), false) : null,
    traceparent ? pair("Traceparent", String(traceparent), false) : null,
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
