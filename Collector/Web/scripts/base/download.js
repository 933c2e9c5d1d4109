// Files that the collector gives out, fetched with the key.

import { ApiError, address, headers } from "./api.js";

async function ask(path) {
  const response = await fetch(address(path), { headers: headers() });
  if (!response.ok) throw new ApiError(response.status, "", `The collector answered ${response.status}.`);
  return response;
}

/** The text at `path` below `/api/`. */
export const text = async (path) => (await ask(path)).text();

/** Saves what is at `path` as a file. */
export async function save(path, name) { saveBlob(await (await ask(path)).blob(), name); }

export function saveBlob(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
