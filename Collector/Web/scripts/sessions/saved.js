// Searches that were given a name. The collector keeps them, for everyone who looks.

import * as api from "../base/api.js";
import { send } from "../base/send.js";

/** Where this browser alone kept them, before the collector did. */
const slot = "automobile.searches";

let known = [];
const listeners = new Set();

/** Those that are known so far. @returns {{id: number, name: string, address: string}[]} */
export const savedSearches = () => known;

/** @param {() => void} listener  called when they have changed  @param {AbortSignal} [signal]  ends it */
export function onSavedSearches(listener, signal) {
  listeners.add(listener);
  signal?.addEventListener("abort", () => listeners.delete(listener));
}

let loading = null;

/** Asks what there is. */
export const loadSearches = () => loading ??= load().finally(() => { loading = null; });

async function load() {
  // After what the page itself asks for.
  await null;
  const { searches } = await api.get("searches");
  known = searches.filter(({ address }) => address.startsWith("#/"));
  if (await bringAlong()) return load();
  for (const listener of listeners) listener();
}

/** Keeps a search; one of the same name leads there from now on. */
export const saveSearch = (name, address) => change(send("POST", "searches", { name, address }));
export const renameSearch = (id, name) => change(send("PUT", `searches/${id}`, { name }));
export const deleteSearch = (id) => change(send("DELETE", `searches/${id}`));

async function change(sent) {
  await sent;
  // One that is under way may have begun before.
  await loading?.catch(() => {});
  await loadSearches();
}

/** What only this browser kept goes to the collector, once. Says whether there was something. */
async function bringAlong() {
  let mine;
  try {
    mine = JSON.parse(localStorage.getItem(slot) ?? "[]");
  } catch { /* no storage, or something else in it */ }
  if (!Array.isArray(mine) || !mine.length) return false;
  const names = new Set(known.map(({ name }) => name));
  for (const { name, address } of mine.filter(Boolean)) {
    if (typeof name !== "string" || typeof address !== "string" || names.has(name)) continue;
    try {
      await send("POST", "searches", { name, address });
    } catch (error) {
      // What it will never take is let go; otherwise it is tried again the next time.
      if (error.status !== 400) return false;
    }
  }
  localStorage.removeItem(slot);
  return true;
}
