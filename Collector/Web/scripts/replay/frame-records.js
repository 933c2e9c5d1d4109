// Frames as they are recorded: a key frame is a whole picture, others say what has moved and which tiles are new.
// The bytes are told in Documentation/ReplayFormat.md.

import { sizeOf } from "./image-size.js";

/** "AMF", before the digit of a version. */
const magic = 0x464d41;
const newest = 2;
const fixed = 28;
/** Larger than any screen, in pixels. */
const largest = 8192;
const mostPixels = 1 << 24;
/** Wider or higher than this no image of tiles is. */
const largestAtlas = 16_384;
/** A record is no longer, in bytes. */
const longest = 8 << 20;
const mostMoves = 64;
/** Records back, in a reference. */
const farthest = 1000;
/** So many images of earlier frames may one need. */
const mostSources = 8;
/** So many tiles are in a segment at most: a few bytes can stand for many. */
const mostTiles = 4 << 20;

/**
 * @typedef {{time: number, isKey: boolean, isGap: boolean, edge: number, width: number, height: number, scale: number, dropped: number,
 *   moves: Int16Array, tiles: Uint16Array, references: {tile: number, count: number, source: Frame, place: number}[], columns: number,
 *   image: Uint8Array}} Frame  moves: x, y, width, height, dx, dy of each; references: tiles of other frames' images
 *
 * Reads as many frames as there are; what cannot be read ends the segment.
 *
 * @param {ArrayBuffer} buffer
 * @returns {Frame[]}
 * @throws {Error} when a later version of the recorder wrote it
 */
export function readFrames(buffer) {
  const view = new DataView(buffer);
  const frames = [];
  let lastKey = 0;
  let tiles = 0;
  // No frame refers to what was before a key frame.
  const earlier = (back) => frames.length - back >= lastKey ? frames[frames.length - back] : undefined;
  for (let offset = 0; offset + 8 <= view.byteLength;) {
    const word = view.getUint32(offset, true);
    const version = (word >>> 24) - 0x30;
    const length = view.getUint32(offset + 4, true);
    const end = offset + 8 + length;
    if ((word & 0xffffff) !== magic || version < 0 || version > 9) break;
    if (version < 1 || version > newest) throw new Error(`recorded in version ${version} of the format, and this collector reads up to ${newest}: update it`);
    if (length < fixed || length > longest || end > view.byteLength) break;
    const frame = readFrame(view, offset + 8, end, version, earlier);
    if (!frame || (!frames.length && !frame.isKey)) break;
    tiles += frame.tiles.length + frame.references.reduce((sum, { count }) => sum + count, 0);
    if (tiles > mostTiles) break;
    if (frame.isKey) lastKey = frames.length;
    frames.push(frame);
    offset = end;
  }
  return frames;
}

function readFrame(view, start, end, version, earlier) {
  let at = start;
  const short = () => { at += 2; return at <= end ? view.getUint16(at - 2, true) : NaN; };
  const time = Number(view.getBigInt64(at, true));
  const flags = view.getUint8(at + 8);
  const edge = view.getUint8(at + 9) * 8;
  at += 10;
  const [width, height, scale, dropped, moveCount] = [short(), short(), short() / 256, short(), short()];
  if (!edge || !width || !height || width > largest || height > largest || width * height > mostPixels) return null;
  if (moveCount > mostMoves || at + moveCount * 12 > end) return null;
  const moves = new Int16Array(moveCount * 6);
  for (let index = 0; index < moves.length; index++) moves[index] = short();
  if (!areInside(moves, width, height)) return null;
  const frame = { time, isKey: (flags & 1) !== 0, isGap: (flags & 2) !== 0, edge, width, height, scale: scale || 1, dropped, moves, references: [] };
  const most = Math.min(tilesOf(frame), 1 << 16);
  frame.tiles = version === 1 ? readTiles(short, most) : readRuns(short, most);
  if (!frame.tiles || (version > 1 && !readReferences(short, frame, earlier))) return null;
  frame.columns = short();
  const { length } = frame.tiles;
  if (!(frame.columns <= Math.max(length, 1)) || (length && !frame.columns) || !(at + 4 <= end)) return null;
  if (frame.isKey && (length || moveCount || frame.references.length)) return null;
  const size = view.getUint32(at, true);
  at += 4;
  if (at + size > end) return null;
  frame.image = new Uint8Array(view.buffer, at, size);
  return isOfItsSize(frame) ? frame : null;
}

/** Whether what is moved, and where it goes to, lies in the picture. */
function areInside(moves, width, height) {
  for (let at = 0; at < moves.length; at += 6) {
    const [x, y, w, h, dx, dy] = moves.subarray(at, at + 6);
    if (w < 1 || h < 1 || Math.min(x, x + dx, y, y + dy) < 0 || Math.max(x, x + dx) + w > width || Math.max(y, y + dy) + h > height) return false;
  }
  return true;
}

/** The numbers of tiles, one by one. */
function readTiles(short, most) {
  const count = short();
  if (!(count <= most)) return null;
  const tiles = new Uint16Array(count);
  for (let at = 0; at < count; at++) {
    const tile = short();
    if (!(tile < most)) return null;
    tiles[at] = tile;
  }
  return tiles;
}

/** The numbers of tiles, as those that follow one another. */
function readRuns(short, most) {
  const tiles = [];
  for (let runs = short(); runs > 0; runs--) {
    const [first, count] = [short(), short()];
    if (!(count > 0 && first + count <= most && tiles.length + count <= most)) return null;
    for (let tile = first; tile < first + count; tile++) tiles.push(tile);
  }
  return Uint16Array.from(tiles);
}

function readReferences(short, frame, earlier) {
  const sources = new Set();
  const most = tilesOf(frame);
  let left = most;
  for (let references = short(); references > 0; references--) {
    const [tile, count, back, place] = [short(), short(), short(), short()];
    const source = back >= 1 && back <= farthest ? earlier(back) : undefined;
    sources.add(source);
    left -= count;
    if (!source || !(count > 0) || !(tile + count <= most && left >= 0) || place + count > (source.isKey ? tilesOf(source) : source.tiles.length)) return false;
    if (source.edge !== frame.edge || source.width !== frame.width || source.height !== frame.height || sources.size > mostSources) return false;
    frame.references.push({ tile, count, source, place });
  }
  return true;
}

/** An image says how large it is: none is decoded that would be another size than what it is for. */
function isOfItsSize(frame) {
  const { isKey, tiles, image } = frame;
  if (!image.length) return !isKey && !tiles.length;
  const [width, height] = imageSize(frame);
  if (!width || !height || Math.max(width, height) > largestAtlas || width * height > mostPixels) return false;
  const size = sizeOf(image);
  return size !== null && size.width === width && size.height === height;
}

/** Of a frame's image, in pixels: what it must be. */
export function imageSize({ isKey, width, height, edge, columns, tiles }) {
  if (isKey) return [width, height];
  const step = stepOf(edge);
  return tiles.length ? [columns * step, Math.ceil(tiles.length / columns) * step] : [0, 0];
}

/** From one tile of an image to the next. */
export const stepOf = (edge) => Math.ceil(edge / 16) * 16;

const tilesOf = ({ width, height, edge }) => Math.ceil(width / edge) * Math.ceil(height / edge);

/** Where a tile is in a frame's image: of a key frame, in the picture. */
export function placeOf({ isKey, width, edge, columns }, place) {
  const [across, step] = isKey ? [Math.ceil(width / edge), edge] : [columns, stepOf(edge)];
  return [(place % across) * step, Math.floor(place / across) * step];
}

/** The last of things with a `time` at a moment or before it; −1 before the first. */
export function lastUpTo(timed, time) {
  let low = -1;
  let high = timed.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (timed[middle].time <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
