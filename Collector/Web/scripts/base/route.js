// The place in the address: #/sessions/ID?event=…&types=a,b&q=text

export function read() {
  const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
  const parts = path.split("/").filter(Boolean);
  const parameters = new URLSearchParams(query);
  return {
    session: parts[0] === "sessions" && parts[1] ? decode(parts[1]) : null,
    event: parameters.get("event"),
    types: (parameters.get("types") ?? "").split(",").filter(Boolean),
    text: parameters.get("q") ?? "",
  };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function address({ session, event, types = [], text = "" }) {
  if (!session) return "#/";
  const parameters = new URLSearchParams();
  if (event) parameters.set("event", event);
  if (types.length) parameters.set("types", types.join(","));
  if (text) parameters.set("q", text);
  const query = parameters.toString();
  return `#/sessions/${encodeURIComponent(session)}${query ? `?${query}` : ""}`;
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
