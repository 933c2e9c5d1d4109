// Draws the tree of views as it was recorded, without any picture: rectangles, texts, and what is masked.

import { lastUpTo } from "./frame-records.js";

/** @returns {Promise<object|null>} the snapshot at a moment */
export async function snapshotAt(recording, time) {
  const segment = recording.segmentAt("hierarchy", time);
  if (!segment) return null;
  const snapshots = await recording.contents("hierarchy", segment);
  return snapshots[Math.max(lastUpTo(snapshots, time), 0)] ?? null;
}

const number = (value, standard = 0) => Number.isFinite(value) ? value : standard;
const side = (value) => Math.min(Math.max(number(value), 1), 4000);
const isColour = (value) => typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);
/** Drawn, at most. */
const most = 5000;

/** Pixels of the canvas for a point of the screen. */
const sharpness = 2;

/** @param {HTMLCanvasElement} canvas @returns {{width: number, height: number, scale: number}} */
export function drawWireframe(canvas, snapshot) {
  const [width, height] = [side(snapshot.w), side(snapshot.h)];
  if (canvas.width !== width * sharpness || canvas.height !== height * sharpness) [canvas.width, canvas.height] = [width * sharpness, height * sharpness];
  const context = canvas.getContext("2d");
  context.setTransform(sharpness, 0, 0, sharpness, 0, 0);
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, width, height);
  for (const node of (Array.isArray(snapshot.nodes) ? snapshot.nodes : []).slice(0, most)) if (node && typeof node === "object") drawNode(context, node);
  return { width: canvas.width, height: canvas.height, scale: sharpness };
}

function drawNode(context, node) {
  const [x, y, w, h] = [number(node.x), number(node.y), number(node.w), number(node.h)];
  if (w <= 0 || h <= 0) return;
  const radius = Math.min(Math.max(number(node.r), 0), w / 2, h / 2);
  context.beginPath();
  context.roundRect(x, y, w, h, radius);
  if (isColour(node.c)) {
    context.fillStyle = node.c;
    context.fill();
  }
  if (node.m) return hatch(context, x, y, w, h);
  shapes[node.k]?.(context, x, y, w, h);
  if (typeof node.t === "string" && node.t) text(context, node, x, y, w, h);
  else if (typeof node.s === "string" && node.s) caption(context, node.s, x, y, w, h);
}

const outline = (context) => { context.strokeStyle = "rgb(120 125 135 / 45%)"; context.lineWidth = 1; context.stroke(); };

/** Kinds that are more than their background. */
const shapes = {
  input: (context) => outline(context),
  button: (context) => outline(context),
  image(context, x, y, w, h) {
    context.fillStyle = "rgb(120 125 135 / 14%)";
    context.fill();
    outline(context);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + w, y + h);
    context.moveTo(x + w, y);
    context.lineTo(x, y + h);
    outline(context);
  },
  switch: (context) => { context.fillStyle = "rgb(120 125 135 / 25%)"; context.fill(); outline(context); },
  slider(context, x, y, w, h) {
    context.fillStyle = "rgb(120 125 135 / 40%)";
    context.fillRect(x, y + h / 2 - 1.5, w, 3);
  },
  ...Object.fromEntries(["web", "map", "video", "keyboard"].map((kind) => [kind, (context, x, y, w, h) => {
    context.fillStyle = "rgb(120 125 135 / 20%)";
    context.fill();
    caption(context, kind, x, y, w, h);
  }])),
};

function hatch(context, x, y, w, h) {
  context.save();
  context.fillStyle = "#c9ccd2";
  context.fill();
  context.clip();
  context.strokeStyle = "#b3b7bf";
  context.lineWidth = 2;
  context.beginPath();
  for (let at = x - h; at < x + w && at < x + 4000; at += 8) {
    context.moveTo(at, y + h);
    context.lineTo(at + h, y);
  }
  context.stroke();
  context.restore();
}

/** From line to line, in sizes of the font. */
const leading = 1.2;
/** The browser's letters are not the device's: where they are wider, texts are set so much smaller at most, in steps. */
const shrinking = [1, 0.92, 0.85, 0.78, 0.7];

function text(context, { t, f, fc, k, c }, x, y, w, h) {
  if (k === "input") [x, w] = [x + 8, Math.max(w - 16, 1)];
  const wanted = Math.min(Math.max(number(f, 15), 4), 200);
  const words = t.slice(0, 2000).trim().split(/\s+/);
  context.save();
  context.fillStyle = isColour(fc) ? fc : isDark(c) ? "#ffffff" : "#1c1e22";
  context.textBaseline = "middle";
  const isCentred = k === "button";
  context.textAlign = isCentred ? "center" : "start";
  let size = wanted;
  let lines = [];
  for (const factor of shrinking) {
    size = wanted * factor;
    context.font = `${size}px system-ui, sans-serif`;
    lines = wrap(context, words, w);
    if (lines.length <= room(h, size) && lines.every((line) => context.measureText(line).width <= w)) break;
  }
  lines = cut(context, lines, w, room(h, size));
  lines.forEach((line, at) => context.fillText(line, isCentred ? x + w / 2 : x, y + h / 2 + (at - (lines.length - 1) / 2) * size * leading));
  context.restore();
}

/** How many lines there is room for; a label is often a little lower than its line. */
const room = (h, size) => Math.max(Math.floor(h / (size * leading) + 0.25), 1);

/** Whether black letters on it would not be read. */
function isDark(colour) {
  if (!isColour(colour)) return false;
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 110;
}

function wrap(context, words, width) {
  const found = [""];
  for (const word of words) {
    const longer = found.at(-1) ? `${found.at(-1)} ${word}` : word;
    if (found.at(-1) && context.measureText(longer).width > width) found.push(word);
    else found[found.length - 1] = longer;
  }
  return found;
}

/** What finds no room ends with three dots, and not in the middle of a letter. */
function cut(context, lines, width, most) {
  const left = lines.slice(0, most);
  if (lines.length > most) left[most - 1] += "…";
  return left.map((line) => {
    if (context.measureText(line).width <= width) return line;
    let [low, high] = [0, line.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (context.measureText(`${line.slice(0, middle)}…`).width <= width) low = middle;
      else high = middle - 1;
    }
    return `${line.slice(0, low).replace(/[\ud800-\udbff]$/, "").trimEnd()}…`;
  });
}

function caption(context, words, x, y, w, h) {
  context.save();
  context.font = "10px system-ui, sans-serif";
  context.fillStyle = "rgb(80 85 95 / 80%)";
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (context.measureText(words).width < w) context.fillText(words.slice(0, 60), x + w / 2, y + h / 2);
  context.restore();
}
