// The place that a page has in the address, for pages that need nothing more: #/name/ID?member=value.

/** @param {string} name  of the view, and in the address */
export const simplePlace = (name) => ({
  read: (id, parameters) => ({ ...Object.fromEntries(parameters), view: name, id }),
  write: ({ view, id, ...members }) => withQuery(id ? `#/${name}/${encodeURIComponent(id)}` : `#/${name}`, members),
});

/** An address with those members that have a value; lists are joined by commas. */
export function withQuery(path, members) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (Array.isArray(value) ? value.length : value !== null && value !== undefined && value !== "") parameters.set(name, String(value));
  }
  return parameters.size ? `${path}?${parameters}` : path;
}

export const list = (parameters, name) => (parameters.get(name) ?? "").split(",").filter(Boolean);
