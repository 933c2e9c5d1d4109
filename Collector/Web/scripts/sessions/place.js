// What the list of sessions shows, as it stands in the address, and as the collector is asked for it:
// #/?q=text&user=lea&has=crash&version=1.2&sort=longest, #/sessions/ID?t=…&event=…

import { list, withQuery } from "../base/place.js";

/** Terms that links from before the query language have. */
export const terms = ["user", "tag", "screen", "url", "message"];
/** What is chosen from values that there are; each can have several. */
export const facets = ["app", "version", "device", "os", "ended", "has"];
const single = ["sort", "since", "from", "to"];

export const sessionsPlace = {
  read(_, parameters) {
    const place = { view: "sessions", session: null, text: parameters.get("q") ?? "" };
    for (const name of [...terms, ...single]) place[name] = parameters.get(name) ?? "";
    // Device models have commas in them, so there is one parameter for each value.
    for (const name of facets) place[name] = parameters.getAll(name).filter(Boolean);
    return place;
  },
  write(place) {
    const parameters = new URLSearchParams();
    if (place.text) parameters.set("q", place.text);
    for (const name of [...terms, ...single]) if (place[name]) parameters.set(name, place[name]);
    for (const name of facets) for (const value of place[name] ?? []) parameters.append(name, value);
    return parameters.size ? `#/?${parameters}` : "#/";
  },
};

export const sessionPlace = {
  read(session, parameters) {
    const t = Number(parameters.get("t"));
    return {
      view: "session", session, event: parameters.get("event"), time: parameters.has("t") && Number.isFinite(t) ? t : null,
      types: list(parameters, "types"), text: parameters.get("q") ?? "", tab: parameters.get("tab") ?? "",
    };
  },
  write: ({ session, event, time, types, text, tab }) =>
    withQuery(`#/sessions/${encodeURIComponent(session)}`, { t: time, event, tab, types, q: text }),
};

const spans = { "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000, "30d": 30 * 86_400_000 };

/** Lengths of time that one may ask for, with their names. */
export const sinces = [["", "Any time"], ["1h", "Last hour"], ["24h", "Last 24 hours"], ["7d", "Last 7 days"], ["30d", "Last 30 days"]];

/** Everything that narrows, as parameters of /api/sessions. */
export function query(place, now = Date.now()) {
  const asked = { q: place.text };
  for (const name of terms) asked[name] = place[name];
  for (const name of facets) asked[name] = place[name];
  // In steps of a minute, so that the same question stays the same for a while.
  asked.from = Object.hasOwn(spans, place.since) ? Math.floor((now - spans[place.since]) / 60_000) * 60_000 : place.from;
  asked.to = place.to;
  return asked;
}

export const isFiltered = (place) =>
  Boolean(place.text || place.since || place.from || place.to || terms.some((name) => place[name]) || facets.some((name) => place[name]?.length));

export const cleared = ({ sort }) => ({ ...sessionsPlace.read(null, new URLSearchParams()), sort });
