// Of which pieces of which frames a picture is made. Frames move parts of the screen and replace tiles, and most of that is gone
// again by the moment that is looked at: so one goes back from there, and asks of each part of the picture where it came from.

import { placeOf } from "./frame-records.js";

/** More parts than this are not followed. */
const most = 4000;
/** Nor are so many looks at them taken: frames can be made to need more than drawing them. */
const patience = 1_000_000;

/**
 * @typedef {{x: number, y: number, w: number, h: number, dx: number, dy: number}} Part  of a frame; `dx`, `dy`: from there to its
 *   place in the picture
 * @typedef {{sx: number, sy: number, w: number, h: number, x: number, y: number}} Piece  of a frame's image, and its place
 *
 * @param {number} index  of the frame whose picture is wanted
 * @param {number} shown  of the frame before it whose picture is there already; −1: none
 * @returns {Map<object|null, Piece[]>|null}  by frame, disjoint, together the whole picture; null: of the picture that is there.
 *   Nothing when it would take longer than drawing one frame after the other.
 */
export function piecesOf(frames, index, shown) {
  const { width, height } = frames[index];
  const found = new Map();
  const budget = { looks: patience };
  let parts = [{ x: 0, y: 0, w: width, h: height, dx: 0, dy: 0 }];
  for (let at = index; parts.length && at > shown; at--) {
    const frame = frames[at];
    if (frame.isKey) {
      found.set(frame, (found.get(frame) ?? []).concat(parts.map(whole)));
      parts = [];
    } else {
      if (frame.image.length || frame.references.length) parts = underTiles(parts, frame, found, budget);
      parts = beforeMoves(parts, frame.moves, width, height, budget);
    }
    if (parts.length > most || budget.looks < 0) return null;
  }
  if (parts.length) found.set(null, parts.map(whole));
  return found;
}

const whole = ({ x, y, w, h, dx, dy }) => ({ sx: x, sy: y, w, h, x: x + dx, y: y + dy });

/** What of the parts is not in one of a frame's tiles; what is goes to the pieces of the frame whose image has it. */
function underTiles(parts, frame, found, budget) {
  const { width, edge, tiles, references } = frame;
  const across = Math.ceil(width / edge);
  const places = new Map();
  if (frame.image.length) tiles.forEach((tile, place) => places.set(tile, { source: frame, place }));
  for (const { tile, count, source, place } of references) for (let next = 0; next < count; next++) places.set(tile + next, { source, place: place + next });
  budget.looks -= places.size;
  const left = [];
  for (const part of parts) {
    const [right, bottom] = [part.x + part.w, part.y + part.h];
    let above = [];
    for (let top = part.y; top < bottom;) {
      const row = Math.floor(top / edge);
      const h = Math.min((row + 1) * edge, bottom) - top;
      const runs = [];
      let run = null;
      for (let x = part.x; x < right;) {
        const column = Math.floor(x / edge);
        const w = Math.min((column + 1) * edge, right) - x;
        const from = places.get(row * across + column);
        if (from) {
          const [left, above] = placeOf(from.source, from.place);
          if (!found.has(from.source)) found.set(from.source, []);
          found.get(from.source).push({ sx: left + x - column * edge, sy: above + top - row * edge, w, h, x: x + part.dx, y: top + part.dy });
          run = null;
        } else if (run) run.w += w;
        else runs.push(run = { ...part, x, y: top, w, h });
        budget.looks -= 1;
        x += w;
      }
      above = runs.map((run) => {
        const same = above.find(({ x, w }) => x === run.x && w === run.w);
        if (same) same.h += h;
        else left.push(run);
        return same ?? run;
      });
      top += h;
      if (budget.looks < 0) return left;
    }
  }
  return left;
}

/** Where the parts were before a frame moved some of them; of several moves to one place the last counts. */
function beforeMoves(parts, moves, width, height, budget) {
  const moved = [];
  let rest = parts;
  for (let at = moves.length - 6; at >= 0 && rest.length; at -= 6) {
    const [x, y, w, h, dx, dy] = moves.subarray(at, at + 6);
    const from = overlap({ x, y, w, h }, { x: 0, y: 0, w: width, h: height });
    if (!from) continue;
    const to = { ...from, x: from.x + dx, y: from.y + dy };
    budget.looks -= rest.length;
    if (budget.looks < 0 || rest.length > most) break;
    rest = rest.flatMap((part) => {
      const inside = overlap(part, to);
      if (!inside) return part;
      moved.push({ ...inside, x: inside.x - dx, y: inside.y - dy, dx: part.dx + dx, dy: part.dy + dy });
      return around(part, inside);
    });
  }
  return moved.concat(rest);
}

function overlap(a, b) {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const [w, h] = [Math.min(a.x + a.w, b.x + b.w) - x, Math.min(a.y + a.h, b.y + b.h) - y];
  return w > 0 && h > 0 ? { x, y, w, h } : null;
}

/** What of a part lies above, below, left and right of a piece inside of it. */
function around(part, { x, y, w, h }) {
  return [
    { ...part, h: y - part.y }, { ...part, y: y + h, h: part.y + part.h - y - h },
    { ...part, y, h, w: x - part.x }, { ...part, y, h, x: x + w, w: part.x + part.w - x - w },
  ].filter(({ w, h }) => w > 0 && h > 0);
}
