// Shows the screen as it was: frames are decoded and put together from the last whole picture on.

import { lastUpTo } from "./frame-records.js";

/** Frames that are decoded at one time. */
const together = 48;
/** The next segment is fetched so long before it is seen, in ms. */
const ahead = 4000;

export class Picture {
  /** What is seen. */
  canvas;
  #back = document.createElement("canvas");
  #before = document.createElement("canvas");
  #recording;
  #onShown;
  #onProblem;
  /** The frame that is on `back`. */
  #segment = null;
  #index = -1;
  #wanted = null;
  #isRunning = false;
  #isCovered = false;
  /** Whether it is to be seen at all. */
  #isAsked = false;

  /** @param {{canvas: HTMLCanvasElement, recording, onShown: (frame: object|null, next: object|null) => void, onProblem: (error: Error) => void}} options */
  constructor({ canvas, recording, onShown, onProblem }) {
    this.canvas = canvas;
    this.#recording = recording;
    this.#onShown = onShown;
    this.#onProblem = onProblem;
  }

  /** Something else is drawn over it: what is under way is not shown any more. */
  covered() {
    this.#isCovered = true;
    this.#isAsked = false;
    this.#wanted = null;
  }

  /** Shows a moment; of many that are asked for while one is drawn the last. */
  async show(time) {
    this.#wanted = time;
    this.#isAsked = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#wanted !== null) {
      const next = this.#wanted;
      this.#wanted = null;
      try {
        await this.#goTo(next);
      } catch (error) {
        if (error.name !== "AbortError") this.#onProblem(error);
      }
    }
    this.#isRunning = false;
  }

  async #goTo(time) {
    const segment = this.#recording.segmentAt("screenshots", time);
    if (!segment) return this.#onShown(null);
    const frames = await this.#recording.contents("screenshots", segment);
    const index = Math.max(lastUpTo(frames, time), 0);
    if (!frames.length) return this.#onShown(null);
    if (segment !== this.#segment || index !== this.#index || this.#isCovered) await this.#build(segment, frames, index);
    const following = this.#recording.next("screenshots", segment);
    // The next one is on its way while this one is looked at.
    if (!following || time < segment.last - ahead) return;
    this.#recording.contents("screenshots", following).then(([next = null]) => {
      if (this.#isAsked && segment === this.#segment && this.#index === frames.length - 1) this.#onShown(frames[this.#index], next);
    }).catch(() => { /* told when it is to be seen */ });
  }

  async #build(segment, frames, index) {
    // What is there already is only shown again.
    let from = segment === this.#segment && index === this.#index ? index + 1 : index;
    while (from > 0 && from <= index && !frames[from].isKey && !(segment === this.#segment && from === this.#index + 1)) from -= 1;
    // What breaks off in the middle is not taken up again there.
    if (from <= index) this.#segment = null;
    const wanted = seen(frames.slice(from, index + 1));
    for (let at = 0; at < wanted.length; at += together) {
      const part = wanted.slice(at, at + together);
      const images = await Promise.all(part.map(({ image }) => image.length ? createImageBitmap(new Blob([image], { type: "image/jpeg" })) : null));
      part.forEach((frame, offset) => {
        this.#draw(frame, images[offset]);
        images[offset]?.close();
      });
    }
    this.#segment = segment;
    this.#index = index;
    if (!this.#isAsked) return;
    this.#isCovered = false;
    const { canvas } = this;
    if (canvas.width !== this.#back.width || canvas.height !== this.#back.height) [canvas.width, canvas.height] = [this.#back.width, this.#back.height];
    canvas.getContext("2d").drawImage(this.#back, 0, 0);
    this.#onShown(frames[index], frames[index + 1] ?? null);
  }

  #draw({ isKey, width, height, edge, moves, tiles, columns }, image) {
    const back = this.#back;
    const context = back.getContext("2d");
    if (isKey) {
      if (back.width !== width || back.height !== height) [back.width, back.height] = [width, height];
      if (image) context.drawImage(image, 0, 0);
      return;
    }
    if (moves.length) {
      const before = this.#before;
      if (before.width !== width || before.height !== height) [before.width, before.height] = [width, height];
      before.getContext("2d").drawImage(back, 0, 0);
      for (let at = 0; at < moves.length; at += 6) {
        const [x, y, w, h, dx, dy] = moves.subarray(at, at + 6);
        if (w > 0 && h > 0) context.drawImage(before, x, y, w, h, x + dx, y + dy, w, h);
      }
    }
    if (!image) return;
    const step = Math.ceil(edge / 16) * 16;
    const across = Math.ceil(width / edge);
    tiles.forEach((tile, at) => {
      const [x, y] = [(tile % across) * edge, Math.floor(tile / across) * edge];
      context.drawImage(image, (at % columns) * step, Math.floor(at / columns) * step, edge, edge, x, y, edge, edge);
    });
  }
}

/** Of frames one after the other those of which something is left: not those whose tiles all came anew later. */
function seen(frames) {
  const covered = new Set();
  return frames.toReversed().filter(({ isKey, moves, tiles }) => {
    // What was there before may have moved to where nothing came anew.
    if (isKey || moves.length) return covered.clear(), true;
    const isLeft = tiles.some((tile) => !covered.has(tile));
    for (const tile of tiles) covered.add(tile);
    return isLeft;
  }).reverse();
}

/** The whole picture before a moment, as small as one wants it: for a look in passing. @returns {Promise<ImageBitmap|null>} */
export async function glance(recording, time, height) {
  const segment = recording.segmentAt("screenshots", time);
  if (!segment) return null;
  const frames = await recording.contents("screenshots", segment);
  let at = lastUpTo(frames, time);
  while (at > 0 && !frames[at].isKey) at -= 1;
  const frame = frames[Math.max(at, 0)];
  return frame ? createImageBitmap(new Blob([frame.image], { type: "image/jpeg" }), { resizeHeight: height, resizeQuality: "medium" }) : null;
}
