// Frames as they are recorded: a key frame is a whole picture, others say what has moved and which tiles are new.
// The bytes are told in Documentation/ReplayFormat.md.

/** "AMF", before the digit of a version. */
const magic = 0x464d41;
const newest = 2;
const fixed = 28;
/** Larger than any screen, in pixels. */
const largest = 8192;
const mostPixels = 1 << 24;
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
    if (version < 1 || version > newest) throw new Error(`recorded in format version ${version} of the format, and this collector reads up to ${newest}: it has to be updated`);
    if (length < fixed || end > view.byteLength) break;
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
  const edge = view.getUint8(at + 9) * 8 || 32;
  at += 10;
  const [width, height, scale, dropped, moveCount] = [short(), short(), short() / 256, short(), short()];
  if (!width || !height || width > largest || height > largest || width * height > mostPixels) return null;
  if (at + moveCount * 12 > end) return null;
  const moves = new Int16Array(moveCount * 6);
  for (let index = 0; index < moves.length; index++) moves[index] = short();
  const frame = { time, isKey: (flags & 1) !== 0, isGap: (flags & 2) !== 0, edge, width, height, scale: scale || 1, dropped, moves, references: [] };
  frame.tiles = version === 1 ? readTiles(short, end - at) : readRuns(short, tilesOf(frame));
  if (!frame.tiles || (version > 1 && !readReferences(short, frame, earlier))) return null;
  frame.columns = Math.max(short(), 1);
  if (!(at + 4 <= end)) return null;
  const size = view.getUint32(at, true);
  at += 4;
  if (at + size > end) return null;
  frame.image = new Uint8Array(view.buffer, at, size);
  return isOfItsSize(frame) ? frame : null;
}

/** The numbers of tiles, one by one. */
function readTiles(short, left) {
  const count = short();
  if (!(count * 2 <= left)) return null;
  return Uint16Array.from({ length: count }, short);
}

/** The numbers of tiles, as those that follow one another. */
function readRuns(short, most) {
  const tiles = [];
  for (let runs = short(); runs > 0; runs--) {
    const [first, count] = [short(), short()];
    if (!(first + count <= most && tiles.length + count <= most)) return null;
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
    const source = earlier(back);
    sources.add(source);
    left -= count;
    if (!source || !(tile + count <= most && left >= 0) || place + count > (source.isKey ? tilesOf(source) : source.tiles.length)) return false;
    if (source.edge !== frame.edge || source.width !== frame.width || source.height !== frame.height || sources.size > mostSources) return false;
    frame.references.push({ tile, count, source, place });
  }
  return true;
}

/** A PNG says at its beginning how large it is: none is decoded that would be another size than what it is for. */
function isOfItsSize({ isKey, width, height, edge, columns, tiles, image }) {
  if (!isPNG(image)) return true;
  if (image.length < 24) return false;
  const view = new DataView(image.buffer, image.byteOffset, 24);
  const step = stepOf(edge);
  const [w, h] = isKey ? [width, height] : [columns * step, Math.ceil(tiles.length / columns) * step];
  return view.getUint32(16) === w && view.getUint32(20) === h;
}

export const isPNG = (image) => image[0] === 0x89;

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
