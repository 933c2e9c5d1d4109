// What stands above the list of requests: what is shown, in which order, and what a request is compared with.

import { fill, h } from "../base/dom.js";

/**
 * @param {{place: object, menu: HTMLElement, one: object|undefined, onChoose: (name: string, value: string) => void, onSave: () => void,
 *   onCompare: () => void}} options `menu`: of the columns. `one`: the request that others are compared with, when it is known.
 */
export function drawBar(bar, { place, menu, one, onChoose, onSave, onCompare }) {
  const { by, sort, against } = place;
  const choice = (label, name, value, current) => h("button", {
    type: "button", aria: { pressed: String(current === value) }, data: { key: `${name} ${value}` },
    onClick: () => {
      onChoose(name, value);
      bar.querySelector(`[data-key="${name} ${value}"]`)?.focus();
    },
  }, label);
  fill(bar,
    h("div.choices", { role: "group", aria: { label: "Show" } },
      choice("Requests", "by", "", by), choice("Endpoints", "by", "endpoints", by), choice("Hosts", "by", "hosts", by)),
    against && !by ? comparing(place, one, onCompare) : null,
    h("span.spring"),
    by ? null : [
      against ? null : [menu,
        h("button.small", { type: "button", title: "Save all of these as an HTTP archive", onClick: onSave }, "Save HAR")],
      h("div.choices", { role: "group", aria: { label: "Order" } },
        choice("Newest", "sort", "", sort), choice("Slowest", "sort", "slowest", sort))]);
}

function comparing({ event, against }, one, onCompare) {
  const isOpen = event && event !== against;
  return h("p.comparing", { role: "status" }, isOpen ? "Compared with " : "Choose a request to compare with ", h("code", null, one ? `${one.method} ${one.path}` : `#${against}`),
    h("button.small", { type: "button", onClick: onCompare }, "Stop comparing"));
}
