// What somebody asked for of what devices keep, in words.

import { plural } from "../base/format.js";

export const kinds = { session: "Session", user: "User", device: "Device", appVersion: "Version" };

const ends = { withdrawn: "Withdrawn", expired: "Gone: the device keeps nothing of it any more", over: "Gone: its time is over" };

export function stateOf({ state, gone, events }) {
  if (state === "asked") return "Asked";
  if (state === "on_its_way") return "On its way";
  if (state === "came") return `Came: ${plural(events, "event")}`;
  return ends[gone] ?? "Gone";
}

/** Why nobody has come yet, and what it waits for. */
export function hintOf({ state }) {
  if (state === "asked") return "The app hears of it at once while it is open, else when it is opened next.";
  if (state === "on_its_way") return "The app knows, and sends what it keeps.";
  return "";
}

/** Whether something may still come of it. */
export const isOpen = ({ state }) => state !== "gone";
