// The event that is chosen, and the panel beside the timeline: it shows that event, or else the moment at the playhead.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { breadcrumbList, breadcrumbs } from "./breadcrumbs.js";
import { Moment } from "./moment.js";

const wide = matchMedia("(min-width: 1121px)");

export class Selection {
  #outline;
  #details;
  #playhead;
  #panel;
  #signal;
  #on;
  #moment;
  #spans;
  /** Draws what was before the event again, as it arrives. */
  #drawBefore = null;

  /**
   * @param {{outline, details, playhead, panel, spans, signal: AbortSignal, onPick: (place: number) => void, onState: (error: Error) => void,
   *   isLoading: () => boolean, app: () => string|undefined}} options  `app`: of the session
   */
  constructor({ outline, details, playhead, panel, spans, signal, ...on }) {
    this.#outline = outline;
    this.#details = details;
    this.#playhead = playhead;
    this.#panel = panel;
    this.#spans = spans;
    this.#signal = signal;
    this.#on = on;
    this.#moment = new Moment({ outline, details, onSelect: on.onPick });
    wide.addEventListener("change", () => {
      // Chosen where its panel would have lain over the replay.
      if (wide.matches && playhead.event !== null && !panel.open) this.open(playhead.event);
      else this.draw();
    }, { signal });
  }

  /** Shows a chosen event, as soon as it is here. */
  async open(id) {
    let about = {};
    let event = this.#details.peek(id);
    try {
      event ??= await this.#details.load(id);
      const isSocket = event?.eventType === "network_request" && (event.payload?.statusCode === 101 || /^wss?:/.test(event.payload?.url ?? ""));
      if (isSocket) about = await api.get(`network/${encodeURIComponent(id)}`, {}, this.#signal);
    } catch (error) {
      if (error.name !== "AbortError") this.#on.onState(error);
    }
    if (!event || this.#playhead.event !== id || this.#signal.aborted) return;
    this.#panel.show(event, this.#outline.start, { frames: about.frames, frameCount: about.frameCount, before: () => this.#before(event, id),
      screen: this.#outline.screenAt(this.#outline.indexOf(id)), app: this.#on.app(),
      about: { spans: this.#spans, onPick: (event) => this.#on.onPick(this.#outline.indexOf(event)) } });
  }

  /** What led to an event. */
  #before(event, id) {
    const box = h("div");
    const at = this.#outline.indexOf(id) - 1;
    this.#drawBefore = () => fill(box,
      breadcrumbList(this.#outline, this.#details, breadcrumbs(this.#outline, at), event.timestamp, (place) => this.#on.onPick(place)));
    this.#drawBefore();
    return box;
  }

  /** Shows the moment, unless an event is chosen. */
  draw() {
    if (this.#playhead.event !== null || this.#on.isLoading()) return;
    this.#drawBefore = null;
    if (!wide.matches) return this.#panel.close();
    if (this.#panel.open || !this.#moment.content[0].isConnected) this.#panel.showMoment(...this.#moment.content);
    this.#moment.update(this.#playhead.time);
  }

  /** Events that were wanted are here. */
  arrived() {
    if (!this.#panel.open && wide.matches) this.#moment.arrived(this.#playhead.time);
    this.#drawBefore?.();
  }
}
