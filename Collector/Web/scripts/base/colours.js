// The page's colours, for what is drawn rather than styled.

import { order } from "../events/types.js";

/** @returns {Map<string, string>} by the names of the custom properties, without their dashes */
export function colours(element) {
  const style = getComputedStyle(element);
  const value = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ["error", "warning", "good", "accent", "line", "line-strong", "text", "soft", "faint", "surface", "sans", "span-a", "span-b", "span-text"];
  const found = new Map(names.map((name) => [name, value(name)]));
  for (const type of [...order, "unknown"]) found.set(`type-${type}`, value(`type-${type}`));
  found.set("on", value("surface"));
  return found;
}

/** A canvas as sharp as the screen. @returns {CanvasRenderingContext2D} in pixels of the page */
export function sharp(canvas, width, height) {
  const scale = devicePixelRatio || 1;
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return context;
}
