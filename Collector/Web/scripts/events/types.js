// The types of events: how each is called. Its colour is --type-… in styles/base.css, its icon is in base/icons.js.

import { words } from "../base/format.js";

const known = {
  navigation: "Screens",
  interaction: "Taps",
  network_request: "Requests",
  websocket_frame: "WebSocket",
  log: "Log",
  storage_changed: "Storage",
  custom: "Custom",
  lifecycle: "Lifecycle",
  hang: "Hangs",
  crash: "Crashes",
  handled_exception: "Exceptions",
  notification_action: "Notifications",
  view_body_snapshot: "View bodies",
  broadcast: "System",
};

/** In the order in which filters and the strip show them. */
export const order = Object.keys(known);

/** The name of a group of such events. A type that a newer SDK brings is shown by its own name. */
export const label = (type) => Object.hasOwn(known, type) ? known[type] : words(type);

/** The class that sets --type. */
export const styleOf = (type) => Object.hasOwn(known, type) ? `type-${type}` : "type-unknown";

export const iconOf = (type) => Object.hasOwn(known, type) ? type : "unknown";

export const rank = (type) => {
  const index = order.indexOf(type);
  return index < 0 ? order.length : index;
};
