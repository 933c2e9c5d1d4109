// The panel beside the timeline: one event, whole.

import { copyFrom, fill, h } from "../base/dom.js";
import { dayName, duration, offset, preciseTime, timeOfDay } from "../base/format.js";
import { icon } from "../base/icons.js";
import * as route from "../base/route.js";
import { describe } from "../events/describe.js";
import { iconOf, singular, styleOf } from "../events/types.js";
import { exchange, shown as shownOfExchange } from "../exchange/exchange.js";
import { fields, list, pair, section } from "./fields.js";
import { json } from "./json.js";

/** Types that the collector makes a report of: threads, frames with lines, and how often it happened. */
const hasReport = new Set(["crash", "hang", "handled_exception"]);

export class DetailPanel {
  #element;
  #onClose;
  #onStep;

  constructor(element, { onClose, onStep }) {
    this.#element = element;
    this.#onClose = onClose;
    this.#onStep = onStep;
  }

  get open() { return !this.#element.hidden; }

  close() {
    this.#element.hidden = true;
    this.#element.replaceChildren();
  }

  /**
   * @param {object} event
   * @param {number|null} start  of the session; null when one looks at requests of many
   * @param {{frames?: object[], frameCount?: number}} about  the frames of a request that opened a WebSocket
   */
  show(event, start, { frames = [], frameCount } = {}) {
    const { title, tone } = describe(event);
    const payload = event.payload ?? {};
    const step = (by, name, text) => h("button.plain", {
      type: "button", title: text, aria: { label: text }, onClick: () => this.#onStep(by),
    }, icon(name));
    const heading = h("h2", { tabIndex: -1 }, title);
    const isRequest = event.eventType === "network_request";
    const place = start === null ? [h("a.go", { href: route.address({ session: event.sessionId, event: event.id }) }, "Show in session")]
      : [`${offset(event.timestamp - start)} into the session`];
    fill(this.#element,
      h(`header.${styleOf(event.eventType)}`, null,
        h("div.bar", null,
          h("span.kind", null, h("span.mark", null, icon(iconOf(event.eventType))), singular(event.eventType)),
          h("span.spring"),
          step(-1, "up", "Previous event (k)"), step(1, "down", "Next event (j)"),
          h("button.plain", {
            type: "button", title: "Close (Esc)", aria: { label: "Close" }, onClick: this.#onClose,
          }, icon("close"))),
        heading,
        h("p.when", null, start === null ? `${dayName(event.timestamp)} ` : null, h("time", null, preciseTime(event.timestamp)), " · ", place)),
      h(`div.scroll${tone ? `.${tone}` : ""}`, null,
        hasReport.has(event.eventType) ? h("a.small.primary", { href: route.address({ view: "issue", event: event.id }) }, "Open the report") : null,
        isRequest ? exchange(event, { frames, frameCount }) : null,
        fields(payload, isRequest ? shownOfExchange : undefined),
        this.#context(event),
        this.#origin(event),
        this.#raw(event)));
    this.#element.hidden = false;
    this.#element.querySelector(".scroll").scrollTop = 0;
  }

  #context({ context }) {
    const { tags, device, ...rest } = context ?? {};
    delete rest.contextId;
    const pairs = Object.entries(rest)
      .filter(([, value]) => value !== null && typeof value !== "object").map(([key, value]) => pair(key, String(value)));
    const tagPairs = Object.entries(tags ?? {}).map(([key, value]) => pair(key, String(value), false));
    if (!pairs.length && !tagPairs.length) return null;
    return section("Context", list([...pairs, ...tagPairs]));
  }

  #origin(event) {
    const late = event.receivedAt - event.timestamp;
    return section("Delivery", list([
      pair("Received", `${timeOfDay(event.receivedAt)}${late >= 0 ? `, ${duration(late)} after` : ""}`, false),
      pair("Launch", event.launchId, false),
      pair("Position", String(event.sequence), false),
    ]));
  }

  #raw({ payload }) {
    const text = JSON.stringify(payload, null, 2);
    const copy = h("button.small", { type: "button", onClick: () => copyFrom(copy, text), title: "Copy as JSON (c)" }, "Copy");
    const link = h("button.small", { type: "button", onClick: () => copyFrom(link, location.href) }, "Copy link");
    copy.dataset.action = "copy";
    return h("section", null, h("h3", null, "Raw", h("span.spring"), link, copy), json(payload));
  }
}
