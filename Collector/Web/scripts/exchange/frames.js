// The frames that went over a WebSocket, with the request that opened it.

import { h } from "../base/dom.js";
import { bytes, count, offset, plural } from "../base/format.js";
import { icon } from "../base/icons.js";

const shown = 200;

export function frameList(frames, start, total = frames.length) {
  if (!frames.length) return null;
  return h("section.frames", null,
    h("h3", null, `WebSocket, ${plural(total, "frame")}`),
    h("ol", null, frames.slice(0, shown).map((frame) => row(frame, start))),
    total > shown ? h("p.hint.body-hint", null, `The first ${count(shown)} are shown.`) : null);
}

function row({ timestamp, payload = {} }, start) {
  const sent = payload.direction === "sent";
  const text = typeof payload.payload === "string" ? payload.payload : "";
  const content = payload.payloadEncoding === "base64" ? `base64 ${text}` : text;
  return h(`li${sent ? ".sent" : ""}`, null,
    h("span.way", { title: sent ? "Sent" : "Received" }, icon(sent ? "up" : "down")),
    h("time", null, offset(timestamp - start)),
    content ? h("details", null, h("summary", null, content.slice(0, 200)), h("pre.text", { tabIndex: 0 }, content))
      : h("span.faint", null, `${payload.frameType ?? "frame"}${payload.payloadNotSent === true ? ", content not sent" : ""}`),
    h("span.n", null, Number.isFinite(payload.payloadSize) ? bytes(payload.payloadSize) : ""));
}
