// The place on the page for an app's storage: #/storage?app=…&database=…&table=…&show=structure, #/storage?app=…&of=defaults&suite=…

const names = ["app", "of", "database", "table", "show", "offset", "suite", "q"];

function readPlace(parameters) {
  const place = { view: "storage", session: null, event: null, text: "" };
  for (const name of names) place[name] = parameters.get(name) ?? "";
  if (place.of !== "defaults") place.of = "";
  if (!["structure", "sql"].includes(place.show)) place.show = "";
  place.offset = Math.max(Number.parseInt(place.offset, 10) || 0, 0);
  return place;
}

function writePlace(place) {
  const parameters = new URLSearchParams();
  for (const name of names) if (place[name]) parameters.set(name, place[name]);
  return parameters;
}

export const storagePlace = {
  read: (_, parameters) => readPlace(parameters),
  write(place) {
    const parameters = writePlace(place);
    return parameters.size ? `#/storage?${parameters}` : "#/storage";
  },
};
