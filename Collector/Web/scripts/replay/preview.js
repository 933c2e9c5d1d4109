// A small picture of the screen over the strip, where one points.

import { h } from "../base/dom.js";
import { offset } from "../base/format.js";
import { glance } from "./picture.js";
import { drawWireframe, snapshotAt } from "./wireframe.js";

const height = 150;
/** Between two looks, in ms. */
const pause = 60;

export class Preview {
  element;
  #canvas = h("canvas");
  #time = h("span");
  #title = h("b", { hidden: true });
  #recording;
  #timer = 0;
  #turn = 0;

  constructor(recording) {
    this.#recording = recording;
    this.element = h("div.brush-preview", { hidden: true, aria: { hidden: "true" } }, this.#canvas, this.#title, this.#time);
  }

  /** @param {number} time  @param {number} start  of the session  @param {number} x  in the strip  @param {number} width  of the strip
   *  @param {string} title  what was there */
  show(time, start, x, width, title = "") {
    if (this.#recording.isEmpty) return;
    this.#time.textContent = offset(time - start);
    this.#title.textContent = title;
    this.#title.hidden = !title;
    this.element.hidden = false;
    const half = title ? 85 : 45;
    this.element.style.transform = `translateX(${Math.min(Math.max(x, half), Math.max(width - half, half)).toFixed(0)}px) translateX(-50%)`;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#draw(time), pause);
  }

  hide() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.element.hidden = true;
  }

  async #draw(time) {
    const turn = this.#turn += 1;
    try {
      const image = await glance(this.#recording, time, height);
      const snapshot = image ? null : await snapshotAt(this.#recording, time);
      if (turn === this.#turn && image) {
        [this.#canvas.width, this.#canvas.height] = [image.width, image.height];
        this.#canvas.getContext("2d").drawImage(image, 0, 0);
      } else if (turn === this.#turn && snapshot) drawWireframe(this.#canvas, snapshot);
      image?.close();
    } catch { /* then there is nothing to see */ }
  }
}
