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

function text(context, { t, f, fc, k }, x, y, w, h) {
  if (k === "input") [x, w] = [x + 8, w - 16];
  const size = Math.min(Math.max(number(f, 15), 4), 200);
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.font = `${size}px system-ui, sans-serif`;
  context.fillStyle = isColour(fc) ? fc : "#1c1e22";
  context.textBaseline = "middle";
  const isCentred = k === "button";
  context.textAlign = isCentred ? "center" : "start";
  const most = Math.max(Math.floor(h / (size * 1.2)), 1);
  const found = wrap(context, t.slice(0, 2000), w, most);
  found.forEach((line, at) => context.fillText(line, isCentred ? x + w / 2 : x, y + h / 2 + (at - (found.length - 1) / 2) * size * 1.2));
  context.restore();
}

function wrap(context, words, width, most) {
  const found = [""];
  for (const word of words.split(/\s+/)) {
    const longer = found.at(-1) ? `${found.at(-1)} ${word}` : word;
    if (found.at(-1) && found.length < most && context.measureText(longer).width > width) found.push(word);
    else found[found.length - 1] = longer;
  }
  return found;
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
