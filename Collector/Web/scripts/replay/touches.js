// Where fingers touched the screen around a moment, drawn over it.

import { lastUpTo } from "./frame-records.js";

/** How long a touch is seen, in ms. */
const lasts = 700;
/** Touches are fetched so long before they are needed, in ms. */
const ahead = 10_000;

export class Touches {
  #outline;
  #details;
  #version = -1;
  #taps = [];

  constructor({ outline, details }) {
    this.#outline = outline;
    this.#details = details;
  }

  get #all() {
    if (this.#version !== this.#outline.version) {
      this.#version = this.#outline.version;
      this.#taps = this.#outline.placesOf("interaction").map((place) => ({ place, time: this.#outline.times[place] }));
    }
    return this.#taps;
  }

  /** @param {{width: number, height: number, scale: number}} screen  in pixels; scale: pixels for a point */
  draw(canvas, time, screen, { isHidden = false } = {}) {
    if (canvas.width !== screen.width || canvas.height !== screen.height) [canvas.width, canvas.height] = [screen.width, screen.height];
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (isHidden) return;
    const all = this.#all;
    for (let at = lastUpTo(all, time + ahead); at >= 0 && time - all[at].time < lasts; at--) {
      const event = this.#details.get(this.#outline.ids[all[at].place]);
      const age = time - all[at].time;
      if (event && age >= 0) this.#spot(context, event.payload ?? {}, age / lasts, screen);
    }
  }

  #spot(context, { interactionType, properties }, age, { width, height, scale }) {
    const [x, y] = [Number(properties?.x) * scale, Number(properties?.y) * scale];
    if (!(x >= 0 && y >= 0 && x <= width && y <= height)) return;
    const isTrouble = /rage|dead/i.test(interactionType ?? "");
    const radius = (14 + 16 * age) * scale;
    context.globalAlpha = 1 - age;
    context.fillStyle = isTrouble ? "rgb(220 50 47 / 35%)" : "rgb(60 110 230 / 30%)";
    context.strokeStyle = isTrouble ? "rgb(220 50 47)" : "rgb(60 110 230)";
    context.lineWidth = 2 * scale;
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    context.fill();
    context.stroke();
    context.globalAlpha = 1;
  }
}
