// What rules would have sent of the last seven days: beside each rule, and in all.

import { fill, h } from "../base/dom.js";
import { bytes, count, plural } from "../base/format.js";

/** A share as a number from 0 to 100, never 0 for something and never 100 for less than all. */
function percent(part, whole) {
  if (!whole || !part) return "0";
  const value = part / whole * 100;
  if (part === whole) return "100";
  return value < 0.1 ? "< 0.1" : value > 99.9 ? "> 99.9" : value < 10 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.min(99, Math.round(value)));
}

function bar(part, whole, label) {
  const fillOf = h("i");
  fillOf.style.width = `${whole ? Math.max(part ? 0.8 : 0, part / whole * 100) : 0}%`;
  return h("span.upload-bar", { role: "img", aria: { label } }, fillOf);
}

/** The sum over all rules. */
export function showTotal(element, run) {
  const { total, everything, looked, partial, compression } = run;
  if (!everything.events) {
    return fill(element, h("p.nothing", null, h("strong", null, "Nothing to try the rules on."), " No events of the last seven days are stored for this app."));
  }
  const share = percent(total.bytes, everything.bytes);
  const wire = compression.bytes ? total.bytes * compression.compressed / compression.bytes : 0;
  fill(element,
    h("p.upload-share", null, h("strong", null, `${share} %`), " of what is stored of the last seven days would have been sent"),
    bar(total.bytes, everything.bytes, `${share} % of the bytes`),
    h("p.upload-sums", null, [
      `${bytes(total.bytes)} of ${bytes(everything.bytes)}`, `${count(total.events)} of ${plural(everything.events, "event")}`,
      `${count(total.sessions)} of ${plural(looked.sessions, "session")}`, plural(looked.devices, "device"),
    ].map((text) => h("span", null, text))),
    h("p.faint", null, wire ? `Bytes are those of the events' JSON; compressed, it would have been about ${bytes(Math.round(wire))}. ` : "",
      looked.summaries ? `What stayed on devices is not in it: of ${plural(looked.summaries, "session")} only a summary came.` : "What stayed on devices is not in it.",
      partial ? h("span.warn", null, " There is too much to look at all of it: the devices heard of last were.") : null));
}

/** One rule's; null: there is nothing to say yet. */
export function showRule(element, figures, everything) {
  if (!figures) return fill(element);
  if (!figures.fired && !figures.limited) return fill(element, h("span.upload-fired", null, "never"), h("span.faint", null, "in seven days"));
  fill(element,
    h("span.upload-fired", null, `${count(figures.fired)}×`),
    h("span", null, plural(figures.sessions, "session")), h("span", null, plural(figures.devices, "device")),
    h("span", null, `${plural(figures.events, "event")}, ${bytes(figures.bytes)}`),
    figures.limited ? h("span.warn", { title: "More often a day than it may on a device" }, `${count(figures.limited)}× over the limit`) : null,
    bar(figures.bytes, everything.bytes, `${percent(figures.bytes, everything.bytes)} % of what is stored`));
}
