// Frames as they are recorded: a key frame is a whole picture, others say what has moved and which tiles are new.
// The bytes are told in Documentation/ReplayFormat.md.

const magic = 0x31464d41;
const fixed = 28;
/** Larger than any screen, in pixels. */
const largest = 8192;

/**
 * Reads as many frames as there are; what cannot be read ends the segment.
 *
 * @param {ArrayBuffer} buffer
 * @returns {{time: number, isKey: boolean, isGap: boolean, edge: number, width: number, height: number, scale: number, dropped: number,
 *   moves: Int16Array, tiles: Uint16Array, columns: number, image: Uint8Array}[]}  moves: x, y, width, height, dx, dy of each
 */
export function readFrames(buffer) {
  const view = new DataView(buffer);
  const frames = [];
  for (let offset = 0; offset + 8 + fixed <= view.byteLength;) {
    const length = view.getUint32(offset + 4, true);
    const end = offset + 8 + length;
    if (view.getUint32(offset, true) !== magic || length < fixed || end > view.byteLength) break;
    const frame = readFrame(view, offset + 8, end);
    if (!frame || (!frames.length && !frame.isKey)) break;
    frames.push(frame);
    offset = end;
  }
  return frames;
}

function readFrame(view, start, end) {
  let at = start;
  const short = () => { at += 2; return at <= end ? view.getUint16(at - 2, true) : NaN; };
  const time = Number(view.getBigInt64(at, true));
  const flags = view.getUint8(at + 8);
  const edge = view.getUint8(at + 9) * 8 || 32;
  at += 10;
  const [width, height, scale, dropped, moveCount] = [short(), short(), short() / 256, short(), short()];
  if (at + moveCount * 12 > end) return null;
  const moves = new Int16Array(moveCount * 6);
  for (let index = 0; index < moves.length; index++) moves[index] = short();
  const tileCount = short();
  if (!(at + tileCount * 2 + 6 <= end)) return null;
  const tiles = new Uint16Array(tileCount);
  for (let index = 0; index < tileCount; index++) tiles[index] = short();
  const columns = short();
  const size = view.getUint32(at, true);
  at += 4;
  if (at + size > end || !width || !height || width > largest || height > largest) return null;
  return {
    time, isKey: (flags & 1) !== 0, isGap: (flags & 2) !== 0, edge, width, height, scale: scale || 1, dropped, moves, tiles,
    columns: Math.max(columns, 1), image: new Uint8Array(view.buffer, at, size),
  };
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
