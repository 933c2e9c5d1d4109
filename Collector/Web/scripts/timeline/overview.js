// The strip above the timeline: how much happened when, by type; a click goes there.

import { h } from "../base/dom.js";
import { offset, plural } from "../base/format.js";
import { isError } from "../events/describe.js";
import { order, rank, styleOf } from "../events/types.js";

const barWidth = 4;

export class Overview {
  element;
  #canvas = h("canvas", { role: "img" });
  #window = h("div.window");
  #cursor = h("div.cursor", { hidden: true });
  #from = h("span", null, "");
  #to = h("span", null, "");
  #events = [];
  #start = 0;
  #end = 0;
  #shown = [0, 0];
  #frame = 0;

  /** @param {(time: number) => void} onPick */
  constructor(onPick) {
    const plot = h("div.plot", null, this.#canvas, this.#window, this.#cursor);
    this.element = h("div.overview", null, plot, h("div.axis", null, this.#from, this.#to));
    const pick = (event) => {
      const box = plot.getBoundingClientRect();
      const part = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      onPick(this.#start + part * (this.#end - this.#start));
    };
    plot.addEventListener("pointerdown", (event) => { plot.setPointerCapture(event.pointerId); pick(event); });
    plot.addEventListener("pointermove", (event) => { if (event.buttons) pick(event); });
    plot.addEventListener("pointerenter", () => { this.#cursor.hidden = false; });
    plot.addEventListener("pointerleave", () => { this.#cursor.hidden = true; });
    plot.addEventListener("mousemove", (event) => {
      this.#cursor.style.transform = `translateX(${event.clientX - plot.getBoundingClientRect().left}px)`;
    });
    new ResizeObserver(() => this.#later()).observe(plot);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#later());
  }

  set(events) {
    this.#events = events;
    this.#later();
  }

  /** Marks what the timeline shows now. */
  view(from, to) {
    this.#shown = [from, to];
    const span = Math.max(this.#end - this.#start, 1);
    const left = Math.min(Math.max((from - this.#start) / span, 0), 1);
    const right = Math.min(Math.max((to - this.#start) / span, 0), 1);
    this.#window.style.left = `${left * 100}%`;
    this.#window.style.width = `max(4px, ${(right - left) * 100}%)`;
  }

  #later() {
    this.#frame ||= requestAnimationFrame(() => { this.#frame = 0; this.#draw(); });
  }

  #draw() {
    const events = this.#events;
    const { width, height } = this.#canvas.parentElement.getBoundingClientRect();
    if (!events.length || !width) return;
    this.#start = events[0].timestamp;
    this.#end = events.at(-1).timestamp;
    const columns = Math.max(Math.floor(width / barWidth), 1);
    const span = Math.max(this.#end - this.#start, 1);
    const bars = Array.from({ length: columns }, () => ({ total: 0, errors: 0, byType: new Map() }));
    for (const event of events) {
      const bar = bars[Math.min(Math.floor(((event.timestamp - this.#start) / span) * columns), columns - 1)];
      bar.total += 1;
      bar.byType.set(event.eventType, (bar.byType.get(event.eventType) ?? 0) + 1);
      if (isError(event)) bar.errors += 1;
    }
    const most = Math.max(...bars.map((bar) => bar.total));
    const scale = devicePixelRatio || 1;
    this.#canvas.width = Math.round(width * scale);
    this.#canvas.height = Math.round(height * scale);
    const context = this.#canvas.getContext("2d");
    context.scale(scale, scale);
    const colours = this.#colours();
    const floor = height - 5;
    bars.forEach((bar, column) => {
      if (!bar.total) return;
      // By the logarithm: a burst of a thousand must not flatten the taps beside it.
      const full = Math.max((Math.log1p(bar.total) / Math.log1p(Math.max(most, 8))) * floor, 4);
      let y = floor;
      for (const [type, n] of [...bar.byType].sort((a, b) => rank(a[0]) - rank(b[0]))) {
        const part = (n / bar.total) * full;
        context.fillStyle = colours.get(styleOf(type));
        context.fillRect(column * barWidth, y - part, barWidth - 1, part);
        y -= part;
      }
      if (bar.errors) {
        context.fillStyle = colours.get("error");
        context.fillRect(column * barWidth, height - 3, barWidth - 1, 3);
      }
    });
    this.view(...this.#shown);
    this.#from.textContent = "0:00";
    this.#to.textContent = offset(this.#end - this.#start);
    this.#canvas.setAttribute("aria-label", `${plural(events.length, "event")} in ${offset(span)}, over time`);
  }

  #colours() {
    const style = getComputedStyle(this.element);
    const colours = new Map([["error", style.getPropertyValue("--error")]]);
    for (const type of [...order, "unknown"]) colours.set(`type-${type}`, style.getPropertyValue(`--type-${type}`));
    return colours;
  }
}
