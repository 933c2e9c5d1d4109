// What the network page shows, as it stands in the address, and as the collector is asked for it.

/** Members of a place, with their names in the address. `many`: a list. */
const members = [
  ["by"], ["sort"], ["text", "q"], ["status", "status", "many"], ["method"], ["host"], ["path"], ["route"], ["min"], ["tracer"],
  ["mocked"], ["failed"], ["app"], ["of"], ["from"], ["to"], ["event"], ["against"],
];

export function readPlace(parameters) {
  const place = { view: "network", session: null };
  for (const [name, key = name, many] of members) {
    const value = parameters.get(key) ?? "";
    place[name] = many ? value.split(",").filter(Boolean) : value;
  }
  place.event ||= null;
  place.against ||= null;
  return place;
}

export function writePlace(place) {
  const parameters = new URLSearchParams();
  for (const [name, key = name] of members) {
    const value = place[name];
    if (Array.isArray(value) ? value.length : value) parameters.set(key, String(value));
  }
  return parameters;
}

export const networkPlace = {
  read: (_, parameters) => readPlace(parameters),
  write(place) {
    const parameters = writePlace(place);
    return parameters.size ? `#/network?${parameters}` : "#/network";
  },
};

/** Everything that narrows, as parameters of /api/network. */
export function query({ text, status, method, host, path, route, min, tracer, mocked, failed, app, of, from, to }) {
  return { q: text, status: status?.join(","), method, host, path, route, minMs: min, tracer, mocked, failed, app, session: of, from, to };
}

export const isFiltered = (place) => Object.values(query(place)).some(Boolean);

/** A place with nothing narrowed, in the same view. */
export const cleared = ({ by, sort }) => ({ ...readPlace(new URLSearchParams()), by, sort });
