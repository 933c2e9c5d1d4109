// Files that the collector gives out, fetched with the key.

import { ApiError, address, headers } from "./api.js";

/** The text at `path` below `/api/`. */
export async function text(path) {
  const response = await fetch(address(path), { headers: headers() });
  if (!response.ok) throw new ApiError(response.status, "", `The collector answered ${response.status}.`);
  return response.text();
}

/** Saves what is at `path` as a file. */
export async function save(path, name) {
  const url = URL.createObjectURL(new Blob([await text(path)]));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
