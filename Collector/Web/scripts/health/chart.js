// Charts over time, as SVG. Each says what it shows in words, is walked through with the arrow keys, and has the same
// numbers as a table.

import { fill, h } from "../base/dom.js";
import { count } from "../base/format.js";

const width = 600;
const height = 120;

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter(Boolean));
  return element;
}

/**
 * @param {object} chart
 *   `label`: what it shows, in words; `points`: one object for each part of the time, with `at` in ms;
 *   `series`: `{name, tone, value: (point) => number|null, text: (value) => string}`, for bars the lowest first;
 *   `kind`: "bars", stacked, or "lines"; `time`: (at) => how a part is called; `top`: (value) => the scale's highest, in words;
 *   `sample`: `{name, value: (point) => number}`, of how many the values of a point are; it is read out, and not drawn
 */
export function chart({ label, points, series, kind = "bars", time, top, sample = null }) {
  const values = points.map((point) => series.map(({ value }) => value(point)));
  const most = Math.max(...values.map((all) => kind === "bars" ? all.reduce((sum, n) => sum + (n ?? 0), 0) : Math.max(...all.map((n) => n ?? 0))), 0);
  const scale = nice(most);
  const plot = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...[0.5, 1].map((part) => svg("line", { x1: 0, x2: width, y1: height * (1 - part) + 0.5, y2: height * (1 - part) + 0.5, class: "grid" })),
    ...(kind === "bars" ? bars(values, series, scale) : lines(values, series, scale).reverse()));
  const mark = h("i.chart-cursor");
  const readout = h("output.readout", { aria: { live: "polite" } });
  const stage = h("div.chart-plot", {
    tabIndex: 0, role: "img", aria: { label: `${label}. The left and right arrow keys read out its values.` },
    onKeydown: (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      show(Math.min(Math.max((current ?? points.length) + step, 0), points.length - 1));
    },
    onPointermove: (event) => {
      const box = stage.getBoundingClientRect();
      show(Math.min(Math.max(Math.floor(((event.clientX - box.left) / box.width) * points.length), 0), points.length - 1));
    },
    onPointerleave: () => show(null), onBlur: () => show(null),
  }, plot, mark, h("span.top", null, top(scale)));
  let current = null;

  function show(index) {
    current = index;
    mark.hidden = index === null;
    if (index === null) return fill(readout, legend(series));
    mark.style.left = `${(index / points.length) * 100}%`;
    mark.style.width = `${100 / points.length}%`;
    fill(readout, h("b", null, time(points[index].at)), series.map(({ name, tone, text }, at) => {
      const value = values[index][at];
      return h("span", null, h(`i.dot.${tone}`), `${name} `, h("b", null, value === null ? "–" : text(value)));
    }), sample ? h("span", null, `${sample.name} `, h("b", null, count(sample.value(points[index])))) : null);
  }
  show(null);

  return h("figure.chart", null, stage,
    h("div.chart-axis", { aria: { hidden: "true" } }, h("span", null, time(points[0].at)), h("span", null, "now")),
    readout, table(label, points, series, values, time, sample));
}

const legend = (series) => series.map(({ name, tone }) => h("span", null, h(`i.dot.${tone}`), name));

function bars(values, series, scale) {
  const step = width / values.length;
  const gap = Math.min(step * 0.25, 4);
  return values.flatMap((all, index) => {
    let low = 0;
    return all.map((value, at) => {
      if (!value) return null;
      // Something is never drawn as nothing.
      const size = Math.max((value / scale) * height, 1.5);
      low += size;
      return svg("rect", { x: index * step + gap / 2, y: height - low, width: step - gap, height: size, class: series[at].tone });
    });
  });
}

/** Gaps where there is no value; a point that stands alone is a short line. */
function lines(values, series, scale) {
  const x = (index) => ((index + 0.5) * width) / values.length;
  return series.map(({ tone }, at) => {
    let path = "";
    values.forEach((all, index) => {
      if (all[at] === null) return;
      const y = height - (all[at] / scale) * (height - 2) - 1;
      const follows = index > 0 && values[index - 1][at] !== null;
      const alone = !follows && (index === values.length - 1 || values[index + 1][at] === null);
      path += alone ? `M${x(index) - 6} ${y}H${x(index) + 6}` : `${follows ? "L" : "M"}${x(index)} ${y}`;
    });
    return path ? svg("path", { d: path, class: `line ${tone}` }) : null;
  });
}

function table(label, points, series, values, time, sample) {
  return h("details.numbers-of", null, h("summary", null, "Show as a table"),
    h("div.wide-table", { tabIndex: 0, role: "region", aria: { label } }, h("table", null, h("caption.visually-hidden", null, label),
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "From"), series.map(({ name }) => h("th.n", { scope: "col" }, name)),
        sample ? h("th.n", { scope: "col" }, sample.name) : null)),
      h("tbody", null, points.map((point, index) => h("tr", null, h("th", { scope: "row" }, time(point.at)),
        series.map(({ text }, at) => h("td.n", null, values[index][at] === null ? "–" : text(values[index][at]))),
        sample ? h("td.n", null, count(sample.value(point))) : null))))));
}

/** The next number above that people like as the end of a scale. */
export function nice(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value * 0.999);
}
