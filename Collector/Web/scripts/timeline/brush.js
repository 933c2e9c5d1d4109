// The whole session as a strip: how much happened when, what of it the tracks show, and where the playhead is.

import { colours, sharp } from "../base/colours.js";
import { h } from "../base/dom.js";
import { offset, plural } from "../base/format.js";
import { rank, styleOf } from "../events/types.js";
import { Preview } from "../replay/preview.js";

const barWidth = 3;
const height = 34;

export class Brush {
  element;
  #canvas = h("canvas", { role: "img" });
  #window = h("div.window");
  #line = h("div.playhead-line");
  #plot;
  #outline;
  #recording;
  #preview;
  #viewport;
  #playhead;
  #frame = 0;
  /** Kept: to ask for it in the middle of a frame has the browser lay out the page. */
  #width = 0;

  constructor({ outline, viewport, playhead, recording, signal }) {
    this.#recording = recording;
    this.#preview = new Preview(recording);
    this.#outline = outline;
    this.#viewport = viewport;
    this.#playhead = playhead;
    this.#plot = h("div.brush", null, this.#canvas, this.#window, this.#line);
    this.element = h("div.brush-box", null, this.#plot, this.#preview.element);
    new ResizeObserver(() => this.update()).observe(this.#plot);
    addEventListener("themechange", () => this.update(), { signal });
    viewport.subscribe(() => this.#place());
    playhead.subscribe(() => this.#place());
    this.#listen();
  }

  update() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#draw(); });
  }

  #x(time) {
    const { start, end } = this.#viewport;
    return ((time - start) / (end - start)) * this.#width;
  }

  #timeAt(x) {
    const { start, end } = this.#viewport;
    return start + (x / Math.max(this.#width, 1)) * (end - start);
  }

  #place() {
    const { from, to, isWhole } = this.#viewport;
    const left = this.#x(from);
    this.#window.style.transform = `translateX(${left.toFixed(1)}px)`;
    this.#window.style.width = `${Math.max(this.#x(to) - left, 6).toFixed(1)}px`;
    this.#window.classList.toggle("whole", isWhole);
    this.#line.style.transform = `translateX(${this.#x(this.#playhead.time).toFixed(1)}px)`;
  }

  #listen() {
    let drag = null;
    const x = (event) => event.clientX - this.#plot.getBoundingClientRect().left;
    this.#plot.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      this.#plot.setPointerCapture(event.pointerId);
      const at = x(event);
      const [left, right] = [this.#x(this.#viewport.from), this.#x(this.#viewport.to)];
      const kind = this.#viewport.isWhole ? "new" : Math.abs(at - left) < 7 ? "left" : Math.abs(at - right) < 7 ? "right"
        : at > left && at < right ? "move" : "new";
      drag = { kind, from: at, last: at, moved: false };
    });
    this.#plot.addEventListener("pointermove", (event) => {
      if (!drag && event.pointerType !== "touch") this.#preview.show(this.#timeAt(x(event)), this.#outline.start, x(event), this.#width);
      if (!drag) return;
      const at = x(event);
      if (Math.abs(at - drag.from) > 3) drag.moved = true;
      if (!drag.moved) return;
      const { from, to } = this.#viewport;
      if (drag.kind === "move") this.#viewport.pan(this.#timeAt(at) - this.#timeAt(drag.last));
      else if (drag.kind === "left") this.#viewport.show(Math.min(this.#timeAt(at), to - 20), to);
      else if (drag.kind === "right") this.#viewport.show(from, Math.max(this.#timeAt(at), from + 20));
      else this.#viewport.show(this.#timeAt(Math.min(drag.from, at)), this.#timeAt(Math.max(drag.from, at)));
      drag.last = at;
    });
    const end = (event) => {
      if (drag && !drag.moved && event.type === "pointerup") {
        const { first, last } = this.#viewport;
        const time = Math.min(Math.max(this.#timeAt(x(event)), first), last);
        this.#playhead.move(time);
        this.#viewport.reveal(time);
      }
      drag = null;
    };
    this.#plot.addEventListener("pointerup", end);
    this.#plot.addEventListener("pointercancel", end);
    this.#plot.addEventListener("pointerleave", () => this.#preview.hide());
    this.#plot.addEventListener("dblclick", () => this.#viewport.fit());
  }

  #draw() {
    const width = this.#width = this.#plot.clientWidth;
    const outline = this.#outline;
    if (!width || !outline.length) return;
    this.#canvas.style.width = `${width}px`;
    const context = sharp(this.#canvas, width, height);
    context.clearRect(0, 0, width, height);
    const columns = Math.max(Math.floor(width / barWidth), 1);
    const types = outline.typeNames.length;
    const bars = new Uint32Array(columns * types);
    const totals = new Uint32Array(columns);
    const errors = new Uint8Array(columns);
    for (let index = 0; index < outline.length; index++) {
      const column = Math.min(Math.max(Math.floor(this.#x(outline.times[index]) / barWidth), 0), columns - 1);
      bars[column * types + outline.types[index]] += 1;
      totals[column] += 1;
      if (outline.severities[index] >= 4) errors[column] = 1;
    }
    let most = 8;
    for (const total of totals) most = Math.max(most, total);
    const palette = colours(this.#plot);
    const order = outline.typeNames.map((name, type) => [type, palette.get(styleOf(name)), rank(name)]).sort((a, b) => a[2] - b[2]);
    const floor = height - 5;
    for (let column = 0; column < columns; column++) {
      const total = totals[column];
      if (!total) continue;
      // By the logarithm: a burst of a thousand must not flatten the taps beside it.
      const full = Math.max((Math.log1p(total) / Math.log1p(most)) * floor, 3);
      let y = floor;
      for (const [type, colour] of order) {
        const n = bars[column * types + type];
        if (!n) continue;
        const part = (n / total) * full;
        context.fillStyle = colour;
        context.fillRect(column * barWidth, y - part, barWidth - 1, part);
        y -= part;
      }
      if (errors[column]) {
        context.fillStyle = palette.get("error");
        context.fillRect(column * barWidth, height - 3, barWidth - 1, 3);
      }
    }
    this.#drawRecording(context, palette);
    this.#canvas.setAttribute("aria-label", `${plural(outline.length, "event")} in ${offset(outline.end - outline.start)}, over time`);
    this.#place();
  }

  /** Where there is a picture of the screen, and where some were lost. */
  #drawRecording(context, palette) {
    const stripe = (from, to, colour) => {
      context.fillStyle = palette.get(colour);
      context.fillRect(this.#x(from), 0, Math.max(this.#x(to) - this.#x(from), 2), 2);
    };
    for (const [from, to] of this.#recording.ranges) stripe(from, to, "accent");
    for (const { from, to } of this.#recording.gaps) stripe(from, to, "warning");
  }
}
