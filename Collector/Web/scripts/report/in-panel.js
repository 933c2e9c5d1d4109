// The stack of an event in the panel: as the collector symbolicates it, else as the app wrote it down.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { section } from "../detail/fields.js";
import { stack } from "./stack.js";
import { weights } from "./weights.js";

/** What it shows of the event's members. */
export const shownOfReport = new Set(["stackTrace"]);

export function stackOf(event) {
  const element = h("div.panel-stack.report", { aria: { busy: "true" } }, h("p.hint", { role: "status" }, "Loading the stack…"));
  load(event, element);
  return element;
}

async function load(event, element) {
  let content = null;
  try {
    const { report } = await api.get(`events/${encodeURIComponent(event.id)}/report`);
    content = drawn(report);
  } catch { /* what the app wrote down is shown */ }
  const raw = event.payload?.stackTrace;
  fill(element, content ?? (raw ? section("Stack trace", h("pre.text", { tabIndex: 0 }, raw)) : null));
  element.ariaBusy = "false";
}

function drawn({ threads, samples = [], images }) {
  if (samples.length) return weights(samples, images);
  const thread = threads.find(({ crashed }) => crashed) ?? threads.find(({ main }) => main) ?? threads[0];
  return thread?.frames.length ? section("Stack", stack(thread.frames, images)) : null;
}
