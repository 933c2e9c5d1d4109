// The types of events: how each is called. Its colour is --type-… in styles/base.css, its icon is in base/icons.js.

import { words } from "../base/format.js";

/** Type to the name of one such event, and of many. */
const known = {
  navigation: ["Screen", "Screens"],
  interaction: ["Tap", "Taps"],
  network_request: ["Request", "Requests"],
  websocket_frame: ["WebSocket frame", "WebSocket"],
  log: ["Log entry", "Log"],
  storage_changed: ["Storage change", "Storage"],
  custom: ["Custom event", "Custom"],
  lifecycle: ["Lifecycle", "Lifecycle"],
  hang: ["Hang", "Hangs"],
  crash: ["Crash", "Crashes"],
  handled_exception: ["Exception", "Exceptions"],
  notification_action: ["Notification", "Notifications"],
  view_body_snapshot: ["View bodies", "View bodies"],
  broadcast: ["System event", "System"],
  span: ["Span", "Spans"],
  session_summary: ["Session summary", "Summaries"],
  // Custom events by their type, which the collector names in an outline.
  frames: ["Frames", "Frames"],
  app_launch: ["App launch", "App launch"],
};

/** In the order in which filters and the strip show them. */
export const order = Object.keys(known);

/** The name of many such events. A type that a newer SDK brings is shown by its own name. */
export const label = (type) => Object.hasOwn(known, type) ? known[type][1] : words(type);

/** The name of one such event. */
export const singular = (type) => Object.hasOwn(known, type) ? known[type][0] : words(type);

/** The class that sets --type. */
export const styleOf = (type) => Object.hasOwn(known, type) ? `type-${type}` : "type-unknown";

export const iconOf = (type) => Object.hasOwn(known, type) ? type : "unknown";

export const rank = (type) => {
  const index = order.indexOf(type);
  return index < 0 ? order.length : index;
};
