// Where a hang's time went: the stacks that were seen, as one tree from the outermost function inwards, with weights.

import { h } from "../base/dom.js";
import { plural } from "../base/format.js";
import { imageName } from "./images.js";
import { place } from "./source.js";

/** Lighter branches than this part of all are left out. */
const least = 0.02;
const deepest = 200;

export function weights(samples, images) {
  const total = samples.reduce((sum, { count }) => sum + count, 0);
  const root = { children: new Map(), count: total };
  for (const { frames, count } of samples) {
    let node = root;
    for (const frame of [...frames].reverse().slice(-deepest)) {
      const key = `${frame.function ?? frame.symbol ?? frame.address}\n${frame.file ?? ""}`;
      let child = node.children.get(key);
      if (!child) node.children.set(key, child = { frame, count: 0, children: new Map() });
      child.count += count;
      node = child;
    }
  }
  const rows = [];
  collect(root, 0, total, rows);
  return h("section.weights", null,
    h("h3", null, "Where the time went", h("span.faint", null, `${plural(total, "sample")} of the main thread`)),
    h("ol", null, rows.map(({ node, depth, hidden }) => row(node, depth, hidden, total, images))));
}

/** Depth first, the heaviest first; what merely calls on, outside the app, is passed over. */
function collect(node, depth, total, rows) {
  const children = [...node.children.values()].filter(({ count }) => count / total >= least).sort((a, b) => b.count - a.count);
  for (const child of children) {
    let last = child;
    let hidden = 0;
    while (!last.frame.inApp && last.children.size === 1) {
      const [next] = last.children.values();
      if (next.count !== last.count) break;
      last = next;
      hidden += 1;
    }
    rows.push({ node: last, depth, hidden });
    collect(last, depth + 1, total, rows);
  }
}

function row({ frame, count }, depth, hidden, total, images) {
  const part = count / total;
  const bar = h("i");
  bar.style.width = `${part * 100}%`;
  const name = h("span.function", null, frame.function ?? frame.symbol ?? (imageName(images[frame.image]) || "?"),
    hidden ? h("span.flag", { title: "Frames in between, outside the app" }, `+${hidden}`) : null);
  name.style.paddingLeft = `${Math.min(depth, 24) * 12}px`;
  return h(`li${frame.inApp ? ".own" : ""}`, { title: plural(count, "sample") },
    h("span.share", null, h("span.bar", null, bar), h("span.n", null, `${Math.round(part * 100)} %`)), name, place(frame) ?? h("span.place.of-image", null, imageName(images[frame.image])));
}
