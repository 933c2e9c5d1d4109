// Line icons on a grid of 16, drawn with the current colour.

const paths = {
  navigation: "M3 3.5h10v9H3zM6.5 3.5v9",
  interaction: "M6 7.5V3.2a1.2 1.2 0 0 1 2.4 0v3.6l3.3.7a1.6 1.6 0 0 1 1.3 1.8l-.5 3.2a2 2 0 0 1-2 1.7H8.3a2 2 0 0 1-1.6-.8L3.6 9.6a1.1 1.1 0 0 1 1.7-1.4z",
  network_request: "M5 13V3.5M2.5 6 5 3.5 7.5 6M11 3v9.5M8.5 10l2.5 2.5 2.5-2.5",
  websocket_frame: "M3 8h10M5.5 5.5 3 8l2.5 2.5M10.5 5.5 13 8l-2.5 2.5",
  log: "M3 4h10M3 8h7M3 12h9",
  storage_changed: "M3 4.5C3 3.4 5.2 2.5 8 2.5s5 .9 5 2-2.2 2-5 2-5-.9-5-2zM3 4.5v7c0 1.1 2.2 2 5 2s5-.9 5-2v-7M3 8c0 1.1 2.2 2 5 2s5-.9 5-2",
  custom: "m8 2.5 1.7 3.6 3.8.5-2.8 2.7.7 3.9L8 11.3l-3.4 1.9.7-3.9L2.5 6.6l3.8-.5z",
  lifecycle: "M8 2.5v5M4.6 4.6a4.8 4.8 0 1 0 6.8 0",
  hang: "M4.5 2.5h7M4.5 13.5h7M5 2.5c0 3 2.2 3.8 3 5.5.8-1.7 3-2.5 3-5.5M5 13.5c0-3 2.2-3.8 3-5.5.8 1.7 3 2.5 3 5.5",
  crash: "M8 2.2 14 13H2zM8 6.5v3.2M8 11.3v.2",
  handled_exception: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5.3v3.4M8 10.6v.2",
  notification_action: "M4 11.5c1-1 1-2 1-4a3 3 0 0 1 6 0c0 2 0 3 1 4zM7 13.5h2",
  frames: "M2.5 3.5h11v9h-11zM5 3.5v9M11 3.5v9",
  app_launch: "M8 13.5v-7M5 9l3-3 3 3M4 2.5h8",
  view_body_snapshot: "M2.5 3.5h11v7h-11zM5.5 13.5h5M5 8l1.7-1.8L8.3 8 11 5.5",
  broadcast: "M8 8v5.5M5.5 10.5a3.5 3.5 0 1 1 5 0M3.7 12.3a6 6 0 1 1 8.6 0",
  span: "M2.5 4h8M5.5 8h8M7.5 12h4",
  session_summary: "M4 2.5h8v11H4zM6.3 5.5h3.4M6.3 8h3.4M6.3 10.5h2",
  unknown: "M8 3v10M3 8h10",
  search: "M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4zM10.2 10.2l3.3 3.3",
  close: "m4 4 8 8M12 4l-8 8",
  back: "M10 3 5 8l5 5",
  up: "m3.5 10 4.5-4.5 4.5 4.5",
  down: "m3.5 6 4.5 4.5L12.5 6",
  follow: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3.5 13.5h9",
  stop: "M4.5 4.5h7v7h-7z",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1",
  moon: "M13 9.6A5.4 5.4 0 0 1 6.4 3 5.4 5.4 0 1 0 13 9.6z",
  person: "M8 2.8a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2zM3 13.3c.4-2.5 2.4-3.9 5-3.9s4.6 1.4 5 3.9",
  keys: "M2.5 4.5h11v7h-11zM5 7h.01M8 7h.01M11 7h.01M5.5 9.3h5",
  edit: "M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.3 4.5l2.2 2.2",
  bookmark: "M4.5 2.5h7v11L8 10.8l-3.5 2.7z",
  filter: "M2.5 4h11M4.5 8h7M6.5 12h3",
  left: "M10 3.5 5.5 8l4.5 4.5",
  right: "M6 3.5 10.5 8 6 12.5",
  plus: "M8 3.5v9M3.5 8h9",
  minus: "M3.5 8h9",
  fit: "M2.5 5V2.5H5M11 2.5h2.5V5M13.5 11v2.5H11M5 13.5H2.5V11",
  link: "M6.8 9.2a2.4 2.4 0 0 0 3.4 0l2-2a2.4 2.4 0 0 0-3.4-3.4l-.6.6M9.2 6.8a2.4 2.4 0 0 0-3.4 0l-2 2a2.4 2.4 0 0 0 3.4 3.4l.6-.6",
  play: "M5 3v10l8-5z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  check: "m3 8.5 3.2 3.2L13 5",
};

/** Copying one is several times quicker than making one, and lists need many. */
const made = new Map();

const knownName = (name) => Object.hasOwn(paths, name) ? name : "unknown";

/** An icon's path, for an icon that becomes another. */
export const shape = (name) => paths[knownName(name)];

/** An icon by name; one that is not known is a plus sign. */
export function icon(name) {
  const known = knownName(name);
  if (!made.has(known)) made.set(known, draw(paths[known]));
  return made.get(known).cloneNode(true);
}

function draw(d) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", d);
  svg.append(path);
  return svg;
}
