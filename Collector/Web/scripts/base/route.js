// The place in the address: #/sessions/ID?event=…&types=a,b&q=text, #/issues?kinds=crash&q=text, #/issues/ID?event=…,
// #/reports/EVENT, #/network?…: see network/place.js

import { readPlace, writePlace } from "../network/place.js";

export function read() {
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const parts = path.split("/").filter(Boolean);
  const parameters = new URLSearchParams(query);
  const list = (name) => (parameters.get(name) ?? "").split(",").filter(Boolean);
  const id = parts[1] ? decode(parts[1]) : null;
  const shared = { event: parameters.get("event"), text: parameters.get("q") ?? "" };
  switch (parts[0]) {
    case "issues": {
      const version = parameters.get("version");
      return { ...shared, view: id ? "issue" : "issues", issue: id, session: null, kinds: list("kinds"), version };
    }
    case "network": return readPlace(parameters);
    case "reports": return { ...shared, view: "issue", issue: null, event: id, session: null, kinds: [], version: null };
    default: {
      const session = parts[0] === "sessions" ? id : null;
      return { ...shared, view: session ? "session" : "sessions", session, types: list("types") };
    }
  }
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function address(place) {
  if (place.view !== "network") return other(place);
  const parameters = writePlace(place);
  return parameters.size ? `#/network?${parameters}` : "#/network";
}

function other({ view, session, issue, event, types = [], kinds = [], version, text = "" }) {
  const parameters = new URLSearchParams();
  if (event) parameters.set("event", event);
  if (types.length) parameters.set("types", types.join(","));
  if (kinds.length) parameters.set("kinds", kinds.join(","));
  if (version) parameters.set("version", version);
  if (text) parameters.set("q", text);
  const query = parameters.size ? `?${parameters}` : "";
  if (view === "issues") return `#/issues${query}`;
  if (view === "issue") return issue ? `#/issues/${encodeURIComponent(issue)}${query}` : `#/reports/${encodeURIComponent(event)}`;
  return session ? `#/sessions/${encodeURIComponent(session)}${query}` : "#/";
}

/** Changes the address without a step in the history: for filters and the selected event. */
export function replace(route) {
  const next = address(route);
  if (next !== location.hash) history.replaceState(null, "", next);
}

/** Goes to another place, as a step in the history. */
export function go(route) {
  location.hash = address(route);
}
