// A session's list that is empty says why.

import { fill, h } from "../base/dom.js";

/** @param {{isFiltered: boolean, onClear: () => void}} options */
export function drawNothing(notice, { isFiltered, onClear }) {
  fill(notice, isFiltered
    ? [h("strong", null, "No event matches the filter"), h("button.small", { type: "button", onClick: onClear }, "Clear the filter")]
    : [h("strong", null, "No events in this session yet"), h("span", null, "They appear here as the app delivers them.")]);
}
