// What led to a moment: the last screens, taps, requests and warnings before it.

import { h } from "../base/dom.js";
import { duration } from "../base/format.js";
import { icon } from "../base/icons.js";
import { titleOn } from "../events/describe.js";
import { iconOf, singular, styleOf } from "../events/types.js";

const always = new Set(["navigation", "interaction", "network_request", "lifecycle", "notification_action", "crash", "hang", "handled_exception"]);
/** Events that are looked at for them. */
const reach = 5000;

/** @returns {number[]} places in the outline, in the order of time */
export function breadcrumbs(outline, last, most = 14) {
  const wanted = outline.typeNames.map((name) => always.has(name));
  const found = [];
  for (let at = last; at >= 0 && found.length < most && last - at < reach; at--) {
    if (wanted[outline.types[at]] || outline.severities[at] >= 3) found.push(at);
  }
  return found.reverse();
}

/** @param {(place: number) => void} onSelect */
export function breadcrumbList(outline, details, places, time, onSelect) {
  if (!places.length) return h("p.hint", null, "Nothing before this.");
  return h("ol.led-here", null, places.map((place) => {
    const event = details.get(outline.ids[place]);
    const type = outline.typeOf(place);
    const title = event ? titleOn(event, outline.screenAt(place)) : outline.screens.get(outline.ids[place]) ?? singular(type);
    const tone = outline.severities[place] >= 4 ? ".error" : outline.severities[place] === 3 ? ".warning" : "";
    return h("li", null, h(`button.${styleOf(type)}${tone}`, { type: "button", data: { place }, onClick: () => onSelect(place) },
      h("span.mark", null, icon(iconOf(type))), h("span.title", null, title), h("span.n", null, `−${duration(Math.max(time - outline.times[place], 0))}`)));
  }));
}
