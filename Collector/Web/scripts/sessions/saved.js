// Searches that were given a name. They stay in this browser.

const slot = "automobile.searches";
const most = 100;

/** @returns {{name: string, address: string}[]} */
export function savedSearches() {
  try {
    const kept = JSON.parse(localStorage.getItem(slot) ?? "[]");
    return kept.filter(({ name, address }) => typeof name === "string" && typeof address === "string" && address.startsWith("#/"));
  } catch {
    return [];
  }
}

/** Keeps a search; one of the same name is replaced. */
export function saveSearch(name, address) {
  write([...savedSearches().filter((search) => search.name !== name), { name, address }]
    .sort((a, b) => a.name.localeCompare(b.name)).slice(0, most));
}

export function deleteSearch(name) {
  write(savedSearches().filter((search) => search.name !== name));
}

function write(searches) {
  try {
    localStorage.setItem(slot, JSON.stringify(searches));
  } catch { /* without storage there is nothing to keep them in */ }
}
