// The tracks: drawn, and moved by wheel, drag, fingers and keys. The lists below are their equivalent for who does not see them.

import { colours, sharp } from "../base/colours.js";
import { fill, h } from "../base/dom.js";
import { duration, offset, plural } from "../base/format.js";
import { titleOn } from "../events/describe.js";
import { singular } from "../events/types.js";
import { hit } from "./hit.js";
import { paint } from "./paint.js";
import { ticks } from "./ruler.js";
import { lay } from "./tracks.js";

export class TracksPanel {
  element;
  #labels = h("div.track-labels", { aria: { hidden: "true" } });
  #canvas = h("canvas", { role: "img" });
  #ruler = h("div.ruler", { aria: { hidden: "true" } });
  #line = h("div.playhead-line", { aria: { hidden: "true" } });
  #handle;
  #tip = h("div.track-tip", { hidden: true, role: "presentation" });
  #plot;
  #tracks = [];
  #outline;
  #viewport;
  #playhead;
  #details;
  #onPick;
  #colours = null;
  #width = 0;
  #frame = 0;
  /** Where the plot is. */
  #box = { left: 0, top: 0, width: 0 };
  #laidFor = "";
  #recording;
  #spans;

  /** @param {{outline, recording, spans, viewport, playhead, details, onPick: (place: number) => void, signal: AbortSignal}} options */
  constructor({ outline, recording, spans, viewport, playhead, details, onPick, signal }) {
    this.#recording = recording;
    this.#spans = spans;
    this.#outline = outline;
    this.#viewport = viewport;
    this.#playhead = playhead;
    this.#details = details;
    this.#onPick = onPick;
    this.#handle = h("div.playhead-handle", {
      role: "slider", tabIndex: 0, aria: { label: "Playhead", orientation: "horizontal", valuemin: 0, valuemax: 0, valuenow: 0 },
    });
    this.#plot = h("div.track-plot", null, this.#ruler, this.#canvas, this.#line, this.#handle, this.#tip);
    this.element = h("div.tracks", { role: "group", aria: { label: "Tracks" } }, this.#labels, this.#plot);
    new ResizeObserver(() => this.#later()).observe(this.#plot);
    addEventListener("themechange", () => { this.#colours = null; this.#later(); }, { signal });
    viewport.subscribe(() => this.#later());
    playhead.subscribe(() => this.#place());
    this.#listen();
  }

  /** The outline has changed. */
  update() { this.#later(); }

  #later() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#draw(); });
  }

  #look() { this.#box = this.#plot.getBoundingClientRect(); }

  // MARK: Drawing

  #draw() {
    this.#look();
    const width = this.#plot.clientWidth;
    if (!width || !this.#outline.length) return;
    if (this.#laidFor !== this.#version) this.#lay();
    this.#width = width;
    this.#colours ??= colours(this.element);
    const height = this.#tracks.at(-1).top + this.#tracks.at(-1).height;
    this.#canvas.style.width = `${width}px`;
    const context = sharp(this.#canvas, width, height);
    paint(context, this.#scene());
    const { from, to } = this.#viewport;
    fill(this.#ruler, ticks(from, to, this.#outline.start, width).map(({ time, label }) => {
      const tick = h("span", null, label);
      tick.style.transform = `translateX(${Math.round(this.#x(time))}px)`;
      return tick;
    }));
    this.#place();
  }

  get #version() { return `${this.#outline.version} ${this.#recording.version} ${this.#spans.version}`; }

  #lay() {
    this.#laidFor = this.#version;
    this.#tracks = lay(this.#outline, this.#recording, this.#spans);
    fill(this.#labels, this.#tracks.map(({ title, height }) => {
      const label = h("span", null, title);
      label.style.height = `${height}px`;
      return label;
    }));
    this.#canvas.setAttribute("aria-label",
      `Tracks over time: ${this.#tracks.map(({ name, title, events }) => name === "replay" ? this.#replayLabel : `${title} ${events.length}`).join(", ")}. The list below has the same events.`);
  }

  get #replayLabel() {
    const lost = this.#recording.gaps.reduce((sum, { dropped }) => sum + (dropped || 0), 0);
    return lost ? `Replay, ${plural(lost, "frame")} lost` : "Replay";
  }

  #scene() {
    const { from, to } = this.#viewport;
    return { outline: this.#outline, recording: this.#recording, tracks: this.#tracks, from, to, width: this.#width, colours: this.#colours, x: (time) => this.#x(time) };
  }

  #x(time) {
    const { from, span } = this.#viewport;
    return ((time - from) / span) * this.#width;
  }

  #timeAt(x) {
    const { from, span } = this.#viewport;
    return from + (x / Math.max(this.#width, 1)) * span;
  }

  /** Puts the playhead where it belongs; nothing is drawn anew for that. */
  #place() {
    const { time } = this.#playhead;
    const x = this.#x(time);
    const isSeen = x >= -1 && x <= this.#width + 1;
    this.#line.hidden = !isSeen;
    this.#handle.classList.toggle("away", !isSeen);
    const place = `translateX(${Math.min(Math.max(x, 0), this.#width).toFixed(1)}px)`;
    this.#line.style.transform = place;
    this.#handle.style.transform = place;
    const { first: start, last: end } = this.#viewport;
    this.#handle.setAttribute("aria-valuemax", Math.round(end - start));
    this.#handle.setAttribute("aria-valuenow", Math.round(time - start));
    this.#handle.setAttribute("aria-valuetext", offset(time - start));
  }

  // MARK: Wheel, drag, fingers

  #listen() {
    const plot = this.#plot;
    const fingers = new Map();
    let drag = null;
    const x = (event) => event.clientX - this.#box.left;
    plot.addEventListener("pointerenter", () => this.#look());
    plot.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { span } = this.#viewport;
      const isAcross = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
      if (isAcross) this.#viewport.pan(((event.deltaX || event.deltaY) / this.#width) * span);
      else this.#viewport.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0025)), this.#timeAt(x(event)));
    }, { passive: false });
    plot.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      this.#look();
      plot.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, x(event));
      const isRuler = event.clientY < this.#box.top + this.#canvas.offsetTop || event.target === this.#handle;
      drag = { from: x(event), last: x(event), isScrub: isRuler, moved: false };
      if (isRuler) this.#scrub(x(event));
    });
    plot.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return this.#hover(event);
      const before = [...fingers.values()];
      fingers.set(event.pointerId, x(event));
      const now = [...fingers.values()];
      if (now.length === 2) {
        const spread = Math.abs(before[1] - before[0]) || 1;
        this.#viewport.zoom(Math.abs(now[1] - now[0]) / spread, this.#timeAt((now[0] + now[1]) / 2));
        drag = null;
        return;
      }
      if (!drag) return;
      if (Math.abs(x(event) - drag.from) > 4) drag.moved = true;
      if (drag.isScrub) this.#scrub(x(event));
      else if (drag.moved) this.#viewport.pan(((drag.last - x(event)) / this.#width) * this.#viewport.span);
      drag.last = x(event);
      plot.classList.toggle("dragging", drag.moved && !drag.isScrub);
    });
    const end = (event) => {
      fingers.delete(event.pointerId);
      plot.classList.remove("dragging");
      if (drag && !drag.isScrub && !drag.moved && event.type === "pointerup") this.#click(event);
      drag = null;
    };
    plot.addEventListener("pointerup", end);
    plot.addEventListener("pointercancel", end);
    plot.addEventListener("pointerleave", () => { this.#tip.hidden = true; });
    plot.addEventListener("dblclick", () => this.#viewport.fit());
    this.#handle.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      const edge = { Home: this.#viewport.first, End: this.#viewport.last }[event.key];
      if (by === undefined && edge === undefined) return;
      event.preventDefault();
      this.nudge(by ?? 0, edge);
    });
  }

  /** Moves the playhead by fiftieths of what is shown. */
  nudge(by, to = this.#playhead.time + (by * this.#viewport.span) / 50) {
    const { first: start, last: end } = this.#viewport;
    this.#playhead.move(Math.min(Math.max(to, start), end), { by: "scrub" });
    this.#viewport.reveal(this.#playhead.time);
  }

  #scrub(x) {
    const { first: start, last: end } = this.#viewport;
    this.#playhead.move(Math.min(Math.max(this.#timeAt(x), start), end), { by: "scrub" });
  }

  #click(event) {
    const found = this.#found(event);
    if (!found || found.first < 0) return this.#scrub(event.clientX - this.#box.left);
    const { track, first, last } = found;
    if (last > first) {
      // A cluster comes apart, unless nothing is between its events.
      const from = this.#outline.times[track.events[first]];
      const to = this.#outline.times[track.events[last]];
      if (to - from > 2) {
        const margin = Math.max((to - from) * 0.2, 5);
        this.#viewport.show(from - margin, to + margin);
      }
    }
    this.#onPick(track.events[first]);
  }

  #found(event) {
    return hit(this.#scene(), event.clientX - this.#box.left, event.clientY - this.#box.top - this.#canvas.offsetTop);
  }

  #hover(event) {
    const found = event.pointerType === "touch" ? null : this.#found(event);
    this.#plot.classList.toggle("pointing", Boolean(found));
    this.#tip.hidden = !found;
    if (!found) return;
    this.#tell(found);
    const box = this.#box;
    const left = Math.min(Math.max(event.clientX - box.left + 12, 4), box.width - this.#tip.offsetWidth - 8);
    this.#tip.style.transform = `translate(${left}px, ${event.clientY - box.top + 16}px)`;
  }

  /** Says what one points at. */
  #tell({ track, first, last, title, time }) {
    if (first < 0) return fill(this.#tip, h("b", null, title), h("span", null, offset(time - this.#outline.start)));
    const index = track.events[first];
    const span = track.spans?.rows[first];
    const { times, ids, durations } = this.#outline;
    const whole = this.#details.get(ids[index]);
    const name = span ? span.name : whole ? titleOn(whole, this.#outline.screenAt(index)) : this.#outline.screens.get(ids[index]) ?? singular(this.#outline.typeOf(index));
    fill(this.#tip, h("b", null, last > first ? `${plural(last - first + 1, "event")}, first: ${name}` : name),
      h("span", null, [offset(times[index] - this.#outline.start), span?.durationMs !== undefined ? duration(span.durationMs) : durations[index] >= 0 ? duration(durations[index]) : null,
        span && span.durationMs === undefined ? "not ended" : null, span?.status === "error" ? span.statusMessage ?? "failed" : null].filter(Boolean).join(" · ")));
  }
}
