// A session's list that is empty says why.

import { fill, h } from "../base/dom.js";
import { onDevice } from "../sessions/on-device.js";

/** @param {{isFiltered: boolean, session: object|null, onClear: () => void}} options */
export function drawNothing(notice, { isFiltered, session, onClear }) {
  const away = isFiltered || !session ? null : onDevice(session);
  if (away) return fill(notice, h("strong", null, away.text), h("span", null, away.title));
  fill(notice, isFiltered
    ? [h("strong", null, "No event matches the filter"), h("button.small", { type: "button", onClick: onClear }, "Clear the filter")]
    : [h("strong", null, "No events in this session yet"), h("span", null, "They appear here as the app delivers them.")]);
}
