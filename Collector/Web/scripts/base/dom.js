// Builds elements. Recorded text only ever becomes a text node, so nothing that an app recorded is taken for markup.

/**
 * @param {string} tag     a tag name, with classes after dots: "span.time.faint"
 * @param {object|null} properties  `on…` are listeners, `data` and `aria` are groups, what an element knows as a
 *                         property is set as one, the rest become attributes; null and false leave a thing out
 * @param {...(Node|string|number|null|Array)} children
 */
export function h(tag, properties, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2).toLowerCase(), value);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "aria") {
      for (const [part, text] of Object.entries(value)) element.setAttribute(`aria-${part}`, text);
    } else if (key in element && key !== "list") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

/** Replaces what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** Calls `run` once, `delay` ms after the last of a series of calls. */
export function debounce(delay, run) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), delay);
  };
}

/** Calls `run` at once, and again not before `interval` ms are over: then once, with what was said last. */
export function paced(interval, run) {
  let last = -Infinity;
  let timer = 0;
  let latest = [];
  return (...args) => {
    latest = args;
    if (timer) return;
    const call = () => { timer = 0; last = performance.now(); run(...latest); };
    const wait = last + interval - performance.now();
    if (wait <= 0) call();
    else timer = setTimeout(() => requestAnimationFrame(call), wait);
  };
}

/** Puts text on the clipboard and says so on the button for a moment. */
export async function copyFrom(button, text) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // Plain http from another host has no clipboard.
    button.textContent = "Not allowed";
  }
  setTimeout(() => { button.textContent = label; }, 1200);
}
