// The frames of a thread: the app's own stand out, runs of others are folded.

import { h } from "../base/dom.js";
import { plural } from "../base/format.js";
import { icon } from "../base/icons.js";
import { imageName } from "./images.js";
import { excerpt, place } from "./source.js";

/** Runs of at least so many frames outside the app are folded, but never the innermost two. */
const fold = 4;

export function stack(frames, images) {
  if (!frames.length) return h("p.hint", null, "No frames.");
  const element = h("ol.stack");
  const ownOnly = frames.some(({ inApp }) => inApp);
  const first = frames.find(({ inApp, source }) => inApp && source);
  let index = 0;
  while (index < frames.length) {
    let end = index;
    while (end < frames.length && !frames[end].inApp) end += 1;
    const from = Math.max(index, 2);
    if (ownOnly && end - from >= fold) {
      for (; index < from; index += 1) element.append(frame(frames[index], index, images, frames[index] === first));
      element.append(folded(frames, from, end, images));
      index = end;
    } else {
      for (end = Math.max(end, index + 1); index < end; index += 1) element.append(frame(frames[index], index, images, frames[index] === first));
    }
  }
  return element;
}

function folded(frames, from, end, images) {
  const names = [...new Set(frames.slice(from, end).map(({ image }) => imageName(images[image])).filter(Boolean))];
  const row = h("li.folded", null, h("button.link", { type: "button", onClick: () => {
    const whole = frames.slice(from, end).map((one, index) => frame(one, from + index, images));
    row.replaceWith(...whole);
    whole[0].tabIndex = -1;
    whole[0].focus();
  } }, `${plural(end - from, "frame")} of ${names.slice(0, 3).join(", ") || "the system"}${names.length > 3 ? " …" : ""}`));
  return row;
}

function frame(one, index, images, isOpen = false) {
  const { address, image, offset, symbol, symbolOffset, function: name, line, inlined, inApp, trust, source } = one;
  const where = imageName(images[image]);
  const exact = [address, offset && where ? `${where} + ${offset}` : null, symbol && symbol !== name ? symbol : null,
    symbolOffset ? `+ ${symbolOffset}` : null, trust === "scan" ? "found by scanning the stack: may be stale" : null].filter(Boolean).join("\n");
  const lines = source ? excerpt(source, line) : null;
  if (lines) lines.hidden = !isOpen;
  const toggle = lines ? h("button.plain.show-source", {
    type: "button", title: "Source", aria: { label: `Source of frame ${index}`, expanded: String(isOpen) }, onClick: () => {
      lines.hidden = !lines.hidden;
      toggle.ariaExpanded = String(!lines.hidden);
    },
  }, icon("down")) : null;
  return h(`li.frame${inApp ? ".own" : ""}${trust === "scan" ? ".guess" : ""}`, { title: exact },
    h("span.n", null, String(index)),
    h("span.image", null, where),
    h("span.function", null, name ?? symbol ?? h("span.faint.unnamed", { data: { image: where } }, where && offset ? `+ ${offset}` : address ?? "?"),
      inlined ? h("span.flag", { title: "Inlined into its caller by the compiler" }, "inlined") : null,
      trust === "scan" ? h("span.flag", { title: "Found by scanning the stack" }, "guess") : null),
    place(one), toggle, lines);
}
