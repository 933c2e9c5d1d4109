// Under the screen: the whole replay as a strip, with what went wrong in it, what is missing, and a look in passing.

import { colours, sharp } from "../base/colours.js";
import { h } from "../base/dom.js";
import { offset } from "../base/format.js";
import { faultsOf, nearest } from "./faults.js";
import { Preview } from "./preview.js";

const height = 26;
/** The markers of faults stand above the strip itself, so high. */
const markers = 12;

export class Scrubber {
  element;
  #canvas = h("canvas");
  #line = h("div.playhead-line");
  #plot;
  #preview;
  #recording;
  #outline;
  #viewport;
  #playhead;
  #frame = 0;
  #width = 0;
  #faults = [];
  #faultsFor = "";

  /** @param {{recording, outline, viewport, playhead, signal: AbortSignal}} options */
  constructor({ recording, outline, viewport, playhead, signal }) {
    this.#recording = recording;
    this.#outline = outline;
    this.#viewport = viewport;
    this.#playhead = playhead;
    this.#preview = new Preview(recording);
    this.#plot = h("div.scrub-plot", {
      role: "slider", tabIndex: 0, aria: { label: "Replay position", valuemin: 0, valuemax: 0, valuenow: 0 },
    }, this.#canvas, this.#line);
    this.element = h("div.scrubber", null, this.#plot, this.#preview.element);
    new ResizeObserver(() => this.update()).observe(this.#plot);
    addEventListener("themechange", () => this.update(), { signal });
    playhead.subscribe(() => this.#place());
    viewport.subscribe(() => { if (this.#drawnFor !== this.#extent) this.update(); });
    this.#listen();
  }

  /** What is recorded has changed, or what happened. */
  update() { this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#draw(); }); }

  get #extent() { return `${this.#viewport.first} ${this.#viewport.last}`; }
  #drawnFor = "";
  get #span() { return Math.max(this.#viewport.last - this.#viewport.first, 1); }
  #x(time) { return ((time - this.#viewport.first) / this.#span) * this.#width; }
  #timeAt(x) { return this.#viewport.first + (Math.min(Math.max(x / Math.max(this.#width, 1), 0), 1)) * this.#span; }

  #place() {
    if (!this.#width) return;
    const { time } = this.#playhead;
    this.#line.style.transform = `translateX(${Math.min(Math.max(this.#x(time), 0), this.#width).toFixed(1)}px)`;
    this.#plot.setAttribute("aria-valuenow", Math.round(time - this.#viewport.first));
    this.#plot.setAttribute("aria-valuetext", offset(time - this.#outline.start));
  }

  #listen() {
    const plot = this.#plot;
    let isHeld = false;
    const place = (event) => {
      const { left, top } = plot.getBoundingClientRect();
      return { x: event.clientX - left, fault: event.clientY - top <= markers ? nearest(this.#clusters, event.clientX - left) : null };
    };
    const go = (time) => {
      this.#playhead.move(time, { by: "scrub" });
      this.#viewport.reveal(time);
    };
    plot.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      plot.setPointerCapture(event.pointerId);
      isHeld = true;
      const { x, fault } = place(event);
      go(fault ? fault.faults[0].time : this.#timeAt(x));
    });
    plot.addEventListener("pointermove", (event) => {
      const { x: at, fault } = place(event);
      const gap = this.#recording.gapAt(this.#timeAt(at), this.#span * (3 / Math.max(this.#width, 1)));
      if (event.pointerType !== "touch") this.#preview.show(fault ? fault.faults[0].time : this.#timeAt(at), this.#outline.start, at, this.#width, fault?.title ?? gap?.title ?? "");
      if (isHeld && event.buttons) go(this.#timeAt(at));
    });
    plot.addEventListener("pointerup", () => { isHeld = false; });
    plot.addEventListener("pointercancel", () => { isHeld = false; });
    plot.addEventListener("pointerleave", () => this.#preview.hide());
    plot.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -5000, ArrowDown: -5000, ArrowRight: 5000, ArrowUp: 5000, PageDown: -30_000, PageUp: 30_000 }[event.key];
      const edge = { Home: this.#viewport.first, End: this.#viewport.last }[event.key];
      if (by === undefined && edge === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      go(Math.min(Math.max(edge ?? this.#playhead.time + by, this.#viewport.first), this.#viewport.last));
    });
  }

  #clusters = [];

  #draw() {
    const width = this.#width = this.#plot.clientWidth;
    if (!width || this.#recording.isEmpty) return;
    this.#drawnFor = this.#extent;
    const version = `${this.#outline.version} ${this.#recording.version}`;
    if (this.#faultsFor !== version) {
      this.#faultsFor = version;
      this.#faults = faultsOf(this.#outline, this.#recording);
    }
    const palette = colours(this.#plot);
    this.#canvas.style.width = `${width}px`;
    const context = sharp(this.#canvas, width, height);
    context.clearRect(0, 0, width, height);
    const bar = (from, to, colour, top, tall, least = 1) => {
      context.fillStyle = palette.get(colour);
      context.fillRect(this.#x(from), top, Math.max(this.#x(to) - this.#x(from), least), tall);
    };
    bar(this.#viewport.first, this.#viewport.last, "line", 15, 4);
    for (const [from, to] of this.#recording.ranges) bar(from, to, "accent", 15, 4);
    for (const [from, to] of this.#recording.backgrounds) bar(from, to, "line-strong", 15, 4);
    for (const { from, to } of this.#recording.gaps) bar(from, to, "warning", 13, 8, 3);
    // Whole at the edges, too: a crash is the last thing that happens.
    this.#clusters = cluster(this.#faults, (time) => Math.min(Math.max(this.#x(time), 5), width - 5));
    for (const { x, faults, isWorst } of this.#clusters) {
      context.fillStyle = palette.get(isWorst ? "error" : "warning");
      context.beginPath();
      context.moveTo(x - 5, 1);
      context.lineTo(x + 5, 1);
      context.lineTo(x, 11);
      context.fill();
      if (faults.length === 1) continue;
      context.font = `600 9px ${palette.get("sans")}`;
      context.fillText(faults.length > 99 ? "99+" : String(faults.length), x + 6, 9);
    }
    this.#plot.setAttribute("aria-valuemax", Math.round(this.#span));
    this.#place();
  }
}

/** Faults nearer to each other than they can be told apart are one. */
function cluster(faults, x) {
  const clusters = [];
  for (const fault of faults) {
    const at = x(fault.time);
    const last = clusters.at(-1);
    if (last && at - last.x < 14) {
      last.faults.push(fault);
      last.isWorst ||= fault.isWorst;
    } else clusters.push({ x: at, faults: [fault], isWorst: fault.isWorst });
  }
  for (const one of clusters) one.title = one.faults.length === 1 ? one.faults[0].title : `${one.faults.length} errors, first: ${one.faults[0].title}`;
  return clusters;
}
