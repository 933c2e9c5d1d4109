// The panel beside a page: one event, whole; on the session page, else, the moment at the playhead.

import { copyFrom, fill, h } from "../base/dom.js";
import { dayName, duration, offset, preciseTime, timeOfDay, zone } from "../base/format.js";
import { icon } from "../base/icons.js";
import * as route from "../base/route.js";
import { describe, titleOn } from "../events/describe.js";
import { iconOf, singular, styleOf } from "../events/types.js";
import { exchange, shown as shownOfExchange } from "../exchange/exchange.js";
import { shownOfSpan, spanNames, spanView } from "../spans/span-view.js";
import { traceView } from "../spans/trace-view.js";
import { shownOfReport, stackOf } from "../report/in-panel.js";
import { contextView } from "./context.js";
import { fields, list, pair, section } from "./fields.js";
import { json } from "./json.js";
import { tabView } from "./tabs.js";

/** Types that the collector makes a report of: threads, frames with lines, and how often it happened. */
const hasReport = new Set(["crash", "hang", "handled_exception"]);

export class DetailPanel {
  #element;
  #onClose;
  #onStep;
  #tab = "details";
  #isOpen = false;

  constructor(element, { onClose, onStep }) {
    this.#element = element;
    this.#onClose = onClose;
    this.#onStep = onStep;
  }

  /** Whether an event is shown. */
  get open() { return this.#isOpen; }

  close() {
    this.#isOpen = false;
    this.#element.hidden = true;
    this.#element.replaceChildren();
  }

  /**
   * @param {object} event
   * @param {number|null} start  of the session; null when one looks at requests of many
   * @param {{frames?: object[], frameCount?: number, before?: () => Node, screen?: string, app?: string, about?: object}} about  the frames of a request that
   *   opened a WebSocket; what led to the event; where it was, and in which app
   */
  show(event, start, { frames = [], frameCount, before, screen = "", app, about } = {}) {
    const { tone } = describe(event);
    const payload = event.payload ?? {};
    const step = (by, name, text) => h("button.plain", {
      type: "button", title: text, aria: { label: text }, onClick: () => this.#onStep(by),
    }, icon(name));
    const isRequest = event.eventType === "network_request";
    const isSpan = event.eventType === "span";
    const place = start === null ? [h("a.go", { href: route.address({ session: event.sessionId, event: event.id }) }, "Show in session")]
      : [`${offset(event.timestamp - start)} into the session`];
    // Before the old content goes: a reader who is inside stays inside.
    const hadFocus = this.#element.contains(document.activeElement);
    const text = JSON.stringify(payload, null, 2);
    const copy = h("button.small", { type: "button", data: { action: "copy" }, title: "Copy as JSON (c)", onClick: () => copyFrom(copy, text) }, "Copy");
    const link = h("button.small", { type: "button", title: "Copy a link to this event", onClick: () => copyFrom(link, location.href) }, "Copy link");
    const [strip, panels] = tabView([
      { name: "details", title: isRequest ? "Request" : "Details", content: () => [
        hasReport.has(event.eventType) ? h("a.small.primary", { href: route.address({ view: "issue", event: event.id }) }, "Open the report") : null,
        isRequest ? exchange(event, { frames, frameCount }) : null,
        isSpan ? spanView(event, about) : null,
        hasReport.has(event.eventType) ? stackOf(event) : null,
        fields(payload, isRequest ? shownOfExchange : isSpan ? shownOfSpan : hasReport.has(event.eventType) ? shownOfReport : undefined),
        isSpan || isRequest ? traceView(event, { isAlone: true }) : null,
        isSpan ? spanNames(event) : null,
        this.#origin(event),
      ].flat(2) },
      { name: "context", title: "Context", content: () => contextView(event, app) },
      ...(before ? [{ name: "before", title: "Before", content: () => [before()] }] : []),
      { name: "json", title: "JSON", content: () => [json(payload)] },
    ], { current: this.#tab, label: "Parts of the event", onChange: (name) => { this.#tab = name; } });
    fill(this.#element,
      h(`header.${styleOf(event.eventType)}`, null,
        h("div.bar", null,
          h("span.kind", null, h("span.mark", null, icon(iconOf(event.eventType))), singular(event.eventType)),
          h("span.spring"),
          step(-1, "up", "Previous event (k)"), step(1, "down", "Next event (j)"),
          h("button.plain", {
            type: "button", title: "Close (Esc)", aria: { label: "Close" }, onClick: this.#onClose,
          }, icon("close"))),
        h("h2", { tabIndex: -1 }, titleOn(event, screen)),
        h("p.when", { title: zone(event.timestamp) }, start === null ? `${dayName(event.timestamp)} ` : null, h("time", null, preciseTime(event.timestamp)), " · ", place),
        h("div.bar.parts", null, strip, h("span.spring"), link, copy)),
      h(`div.scroll${tone ? `.${tone}` : ""}`, { tabIndex: 0, role: "region", aria: { label: "Event" } }, panels));
    this.#isOpen = true;
    this.#element.hidden = false;
    if (hadFocus) this.#element.querySelector("h2").focus({ preventScroll: true });
  }

  /** As its button does. */
  leave() { this.#onClose(); }

  /** Something that is no event: it stays until an event takes its place. */
  showMoment(...content) {
    this.#isOpen = false;
    fill(this.#element, content);
    this.#element.hidden = false;
  }

  #origin(event) {
    const late = event.receivedAt - event.timestamp;
    return section("Delivery", list([
      pair("Received", `${timeOfDay(event.receivedAt)}${late >= 0 ? `, ${duration(late)} after` : ""}`, false),
      pair("Launch", event.launchId, false),
      pair("Position", String(event.sequence), false),
    ]));
  }
}
