// Shows the screen as it was: of the frames since the last whole picture those are decoded of which something is still seen.

import { decoded, decodeImage } from "./decode.js";
import { lastUpTo, placeOf } from "./frame-records.js";
import { piecesOf } from "./pieces.js";

/** Images of earlier frames that are decoded again to draw one frame after the other. */
const mostAgain = 5000;
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
    const isHere = segment === this.#segment;
    // What is there already is only shown again.
    if (!isHere || index !== this.#index) {
      const shown = isHere && this.#index < index ? this.#index : -1;
      const pieces = piecesOf(frames, index, shown);
      if (pieces) await this.#compose(pieces, frames[index]);
      else await this.#drawAll(frames, index, shown);
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

  /** Puts the picture together from pieces of frames, beside the one that is there. */
  async #compose(pieces, { width, height }) {
    const picture = this.#before;
    if (picture.width !== width || picture.height !== height) [picture.width, picture.height] = [width, height];
    const context = picture.getContext("2d");
    if (pieces.has(null)) drawPieces(context, this.#back, pieces.get(null));
    const frames = [...pieces.keys()].filter((frame) => frame !== null);
    await decoded(frames, (frame, image) => { if (image) drawPieces(context, image, pieces.get(frame)); });
    [this.#back, this.#before] = [picture, this.#back];
  }

  /** One frame after the other: where so much is moved that following it would take longer. */
  async #drawAll(frames, index, shown) {
    let from = index;
    while (from > shown + 1 && !frames[from].isKey) from -= 1;
    // What breaks off in the middle is not taken up again there.
    this.#segment = null;
    let again = 0;
    await decoded(frames.slice(from, index + 1), async (frame, image) => {
      this.#draw(frame, image);
      for (const source of new Set(frame.references.map(({ source }) => source))) {
        if ((again += 1) > mostAgain) throw new Error("its frames depend on too many others");
        const earlier = source.image.length ? await decodeImage(source.image) : null;
        if (!earlier) continue;
        try {
          this.#drawReferences(frame, source, earlier);
        } finally {
          earlier.close();
        }
      }
    });
  }

  #draw(frame, image) {
    const { isKey, width, height, moves, tiles } = frame;
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
    if (image) tiles.forEach((tile, place) => this.#drawTile(frame, tile, frame, place, image));
  }

  #drawReferences(frame, of, image) {
    for (const { tile, count, source, place } of frame.references) {
      if (source === of) for (let next = 0; next < count; next++) this.#drawTile(frame, tile + next, source, place + next, image);
    }
  }

  #drawTile({ width, edge }, tile, source, place, image) {
    const across = Math.ceil(width / edge);
    const [x, y] = placeOf(source, place);
    this.#back.getContext("2d").drawImage(image, x, y, edge, edge, (tile % across) * edge, Math.floor(tile / across) * edge, edge, edge);
  }
}

const drawPieces = (context, image, pieces) => { for (const { sx, sy, w, h, x, y } of pieces) context.drawImage(image, sx, sy, w, h, x, y, w, h); };

/** A moment's picture, as small as one wants it: for a look in passing. @returns {Promise<ImageBitmap|null>} */
export async function glance(recording, time, height) {
  const segment = recording.segmentAt("screenshots", time);
  if (!segment) return null;
  const frames = await recording.contents("screenshots", segment);
  let at = Math.max(lastUpTo(frames, time), 0);
  if (!frames.length) return null;
  const canvas = document.createElement("canvas");
  let pieces = piecesOf(frames, at, -1);
  // Where so much is moved that following it would take longer, the whole picture before it will do.
  if (!pieces) {
    while (at > 0 && !frames[at].isKey) at -= 1;
    pieces = piecesOf(frames, at, -1);
  }
  [canvas.width, canvas.height] = [frames[at].width, frames[at].height];
  await decoded([...pieces.keys()], (frame, image) => { if (image) drawPieces(canvas.getContext("2d"), image, pieces.get(frame)); });
  return createImageBitmap(canvas, { resizeHeight: height, resizeQuality: "medium" });
}
