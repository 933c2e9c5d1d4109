// The place in the address: each page reads and writes its own.

import { healthPlace } from "../health/place.js";
import { issuesPlace, reportPlace } from "../issues/place.js";
import { networkPlace } from "../network/place.js";
import { simplePlace } from "./place.js";
import { sessionPlace, sessionsPlace } from "../sessions/place.js";
import { storagePlace } from "../storage/place.js";

const settingsPlace = simplePlace("settings");
const usersPlace = simplePlace("users");
/** By the first part of the path; what is not known is the list of sessions. */
const byPath = {
  issues: issuesPlace, reports: reportPlace, network: networkPlace, storage: storagePlace, health: healthPlace, settings: settingsPlace,
  users: usersPlace,
};
/** By the view that a place names. */
const byView = {
  issues: issuesPlace, issue: issuesPlace, network: networkPlace, storage: storagePlace, sessions: sessionsPlace, session: sessionPlace, health: healthPlace,
  settings: settingsPlace, users: usersPlace,
};

/** A page of its own brings its place along. */
export function register(name, place) {
  byPath[name] = place;
  byView[name] = place;
}

export function read(hash = location.hash) {
  // A moment is found by `#/sessions/…#t=…`, too.
  const [path, query = ""] = hash.replace(/^#/, "").replace("#", hash.includes("?") ? "&" : "?").split("?");
  const parts = path.split("/").filter(Boolean);
  const parameters = new URLSearchParams(query);
  const id = parts[1] ? decode(parts[1]) : null;
  if (Object.hasOwn(byPath, parts[0] ?? "")) return byPath[parts[0]].read(id, parameters);
  return parts[0] === "sessions" && id ? sessionPlace.read(id, parameters) : sessionsPlace.read(null, parameters);
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Without a view it is a session, or without one all of them. */
export const address = (place) => byView[place.view ?? (place.session ? "session" : "sessions")].write(place);

/** The address that the page shown has been told of. */
let known = location.hash;

/** The page shown follows the browser's address. */
export function arrived() { known = location.hash; }

/**
 * Changes the address without a step in the history: for filters and the selected event. Who has followed a link is on the way
 * to another page already, though the browser tells of it a moment later: that address is not written over.
 */
export function replace(place) {
  if (location.hash !== known) return;
  const next = address(place);
  if (next !== location.hash) history.replaceState(null, "", next);
  arrived();
}

/** Goes to another place, as a step in the history. */
export function go(place) {
  location.hash = address(place);
}
