// One line for each event: what happened, the particulars, and at the end a badge and a measure.

import { bytes, duration, plural, words } from "../base/format.js";
import { badgeOf, isUnfinished, toneOf } from "../exchange/address.js";
import { state } from "./lifecycle.js";
import { measured } from "./measured.js";
import { touched } from "./touched.js";

/**
 * @param {object} event  as the API gives it
 * @returns {{title: string, detail: string, badge: string, measure: string, tone: ""|"good"|"warning"|"error", isPlace: boolean}}
 *   `isPlace`: the title says where on a screen, and not of which
 */
export function describe(event) {
  let line = lines.get(event);
  if (!line) {
    const writer = Object.hasOwn(writers, event.eventType) ? writers[event.eventType] : other;
    line = { title: "", detail: "", badge: "", measure: "", tone: "", isPlace: false, ...writer(event.payload ?? {}, event) };
    lines.set(event, line);
  }
  return line;
}

/** The title, with the screen where nothing else tells what was touched: "Tap at 120, 340 in Menu". */
export function titleOn(event, screen) {
  const { title, isPlace } = describe(event);
  return isPlace && screen ? `${title} in ${screen}` : title;
}

/** Events do not change, and the strip asks for all of them each time it is drawn. */
const lines = new WeakMap();

export const logLevels = ["Verbose", "Debug", "Info", "Warning", "Error", "Fault"];

const writers = {
  navigation: (p) => ({
    title: text(p.destination, "Screen"), detail: pairs(p.arguments),
    badge: p.source === "deep_link" ? "deep link" : "",
  }),
  interaction: (p) => {
    // Where it was is for the panel.
    const { text: _, accessibilityLabel, accessibilityIdentifier, viewType, x, y, ...rest } = p.properties ?? {};
    const { name, place, type } = touched(p.properties);
    return {
      title: [words(p.interactionType ?? (name ? "tap" : "interaction")), name.startsWith("“") || !name ? name : `on ${name}`, place].filter(Boolean).join(" "),
      detail: [type, pairs(rest)].filter(Boolean).join(" · "), isPlace: !name && place !== "",
    };
  },
  network_request: (p) => {
    const tone = toneOf(p);
    return {
      title: `${text(p.method, "GET")} ${p.path ?? pathOf(p.url)}`,
      detail: [p.host ?? hostOf(p.url), p.graphQLOperation, p.responseBodySize !== undefined ? bytes(p.responseBodySize) : null,
        p.mockRule ? "mocked" : null, isUnfinished(p) ? "the app ended before a response arrived" : null, p.error].filter(Boolean).join(" · "),
      badge: badgeOf(p), measure: p.durationMs !== undefined ? duration(p.durationMs) : "",
      // A WebSocket is meant to last.
      tone: tone || (p.durationMs >= 2000 && p.statusCode !== 101 ? "warning" : ""),
    };
  },
  websocket_frame: (p) => ({
    title: `${p.direction === "sent" ? "Sent" : "Received"} ${text(p.frameType, "frame")}`,
    detail: pathOf(p.url), badge: p.payloadSize !== undefined ? bytes(p.payloadSize) : "",
  }),
  log: (p) => ({
    title: text(p.message, "(empty)"), detail: text(p.tag), badge: p.level === 2 ? "" : logLevels[p.level] ?? `level ${p.level}`,
    tone: p.level >= 4 ? "error" : p.level === 3 ? "warning" : "",
  }),
  storage_changed: (p) => ({
    title: text(p.key, "All keys"),
    detail: [text(p.previousValue), text(p.newValue, "removed")].filter(Boolean).join(" → "),
    badge: text(p.suiteName),
  }),
  custom: (p) => measured(p) ?? { title: text(p.name, "Event"), detail: pairs(p.properties) },
  breadcrumb: (p) => ({
    title: text(p.message, "Breadcrumb"), detail: [p.category === "custom" ? "" : text(p.category), pairs(p.metadata)].filter(Boolean).join(" · "),
  }),
  lifecycle: (p) => state(p) ?? { title: words(p.state ?? "lifecycle"), detail: pairs(p.details) },
  // Of a stack nothing is written here: the collector says which function it was.
  hang: (p, { culprit }) => ({
    title: `Main thread blocked for ${duration(p.durationMs)}`, detail: culprit ? `in ${culprit}` : "", tone: "error",
  }),
  crash: (p, { culprit }) => ({
    title: `Crash: ${text(p.errorDomain, "unknown")}`, detail: [culprit ? `in ${culprit}` : "", text(p.errorMessage)].filter(Boolean).join(" · "),
    badge: text(p.currentScreen), tone: "error",
  }),
  handled_exception: (p) => ({
    title: p.customMessage || p.errorMessage || text(p.errorDomain, "Exception"),
    detail: [p.customMessage ? p.errorMessage : null, p.errorDomain].filter(Boolean).join(" · "),
    badge: text(p.currentScreen), tone: "error",
  }),
  notification_action: (p) => ({ title: text(p.actionId, "Action"), detail: text(p.notificationTitle) }),
  view_body_snapshot: (p) => {
    const snapshots = Array.isArray(p.snapshots) ? p.snapshots : [];
    const busiest = [...snapshots].sort((a, b) => b.rollingAverage - a.rollingAverage).slice(0, 3);
    return {
      title: `${plural(snapshots.length, "view")} evaluated`,
      detail: busiest.map((s) => `${s.viewName ?? s.id} ${s.totalCount}×`).join(" · "),
    };
  },
  span: (p) => ({
    title: text(p.name, "Span"), detail: [p.statusMessage, pairs(p.attributes)].filter(Boolean).join(" · "),
    badge: p.status === "error" ? "failed" : p.durationMs === undefined ? "not ended" : "",
    measure: Number.isFinite(p.durationMs) ? duration(p.durationMs) : "", tone: p.status === "error" ? "error" : "",
  }),
  session_summary: (p) => ({
    title: p.sameAs === undefined ? `Summary of ${plural(sum(p.events), "event")}` : `Summary as in revision ${scalar(p.sameAs)}`,
    detail: [p.isFinal ? p.end : "", Number.isFinite(p.keptEvents) ? `${plural(p.keptEvents, "event")} on the device` : ""].filter(Boolean).map(String).join(" · "),
    badge: p.revision === undefined ? "" : `revision ${scalar(p.revision)}`,
  }),
  broadcast: (p) => ({ title: text(p.action, "Broadcast"), detail: Object.keys(p.infoKeyTypes ?? {}).join(", ") }),
};

function other(p) {
  const { eventType, timestamp, contextId, context, sessionId, replayId, ...rest } = p;
  return { title: words(eventType ?? "event"), detail: pairs(rest) };
}

/** "key value · key value", with nested things as JSON. */
export function pairs(object) {
  if (object === null || typeof object !== "object") return "";
  return Object.entries(object).map(([key, value]) => `${key} ${scalar(value)}`).join(" · ");
}

export const scalar = (value) => value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);

const sum = (counts) => Object.values(counts ?? {}).reduce((all, n) => all + (Number.isFinite(n) ? n : 0), 0);

const text = (value, otherwise = "") =>
  value === undefined || value === null || value === "" ? otherwise : scalar(value);

function pathOf(url) {
  try {
    const { pathname, search } = new URL(url);
    return pathname + search;
  } catch {
    return text(url, "?");
  }
}

function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}
