// Who, where and with what: the context that an event was recorded in.

import { h } from "../base/dom.js";
import { userLink } from "../users/link.js";
import { list, pair, section } from "./fields.js";

/** @param {string|null} app  the session's; the context itself need not name it */
export function contextView({ context, payload }, app = null) {
  const { tags, device, ...rest } = context ?? {};
  delete rest.contextId;
  const bundleId = app ?? rest.bundleId ?? payload?.bundleId;
  const plain = (object) => Object.entries(object ?? {}).filter(([, value]) => value !== null && typeof value !== "object");
  const groups = [
    ["Context", plain(rest).map(([key, value]) => pair(key, key === "userId" && value ? userLink(String(value), bundleId) : String(value)))],
    ["Tags", plain(tags).map(([key, value]) => pair(key, String(value), false))],
    ["Device", plain(device).map(([key, value]) => pair(key, String(value)))],
  ].filter(([, pairs]) => pairs.length);
  if (!groups.length) return [h("p.hint", null, "No context was recorded.")];
  return groups.map(([title, pairs]) => section(title, list(pairs)));
}
