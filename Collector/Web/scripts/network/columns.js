// The columns of the list: their headings, and which of them one wants to see.

import { fill, h } from "../base/dom.js";
import { icon } from "../base/icons.js";
import { ticks } from "./scale.js";

/** `track`: its width in the grid. Those without `always` can be left out; `narrow`: shown beside an open request, too. */
export const columns = [
  { name: "status", title: "Status", track: "78px", always: true, narrow: true },
  { name: "method", title: "Method", track: "56px", narrow: true },
  { name: "target", title: "URL", track: "minmax(0, 1fr)", always: true, narrow: true },
  { name: "tracer", title: "Tracer ID", track: "minmax(70px, 132px)" },
  { name: "size", title: "Received", track: "70px", isNumber: true },
  { name: "took", title: "Duration", track: "190px", isNumber: true, narrow: true, sort: "slowest" },
  { name: "who", title: "User", track: "minmax(60px, 150px)" },
  { name: "app", title: "App", track: "minmax(60px, 130px)" },
  { name: "time", title: "Time", track: "104px", isNumber: true, always: true, narrow: true, sort: "" },
];

const slot = "automobile.network.columns";
/** Not shown until somebody asks for it. */
const usual = columns.map(({ name }) => name).filter((name) => name !== "app");

/** The names of those that are shown: what was chosen in this browser. */
export function chosen() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(slot));
  } catch { /* without storage, or with something else in it: the usual ones */ }
  const wanted = Array.isArray(kept) ? kept : usual;
  return columns.filter(({ name, always }) => always || wanted.includes(name)).map(({ name }) => name);
}

function keep(names) {
  try {
    localStorage.setItem(slot, JSON.stringify(names));
  } catch { /* it lives as long as the page */ }
}

export class ColumnHead {
  element = h("div.request-head", { hidden: true });
  menu;
  #names = chosen();
  #onChange;
  #onSort;
  #sort = "";

  /** @param {{onChange: () => void, onSort: (sort: string) => void}} told  other columns are shown; another order is wanted */
  constructor({ onChange, onSort }) {
    this.#onChange = onChange;
    this.#onSort = onSort;
    this.menu = this.#menu();
    this.#draw();
  }

  get names() { return this.#names; }

  /** For a grid's style: the widths of those that are shown, alone and beside an open request. */
  get tracks() {
    const of = (list) => list.map(({ track }) => track).join(" ");
    const shown = columns.filter(({ name }) => this.#names.includes(name));
    return [of(shown), of(shown.filter(({ narrow }) => narrow)).replace("190px", "150px").replace("104px", "74px")];
  }

  set sort(sort) {
    this.#sort = sort;
    this.#draw();
  }

  #draw() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    fill(this.element, columns.filter(({ name }) => this.#names.includes(name)).map((column) => this.#heading(column)));
    if (focused) this.element.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  #heading({ name, title, isNumber, sort }) {
    const isChosen = sort !== undefined && sort === this.#sort;
    const label = sort === undefined ? h("span.label", null, title) : h("button.label", {
      type: "button", data: { key: name }, title: sort ? "Slowest first" : "Newest first", aria: { pressed: String(isChosen) }, onClick: () => this.#onSort(sort),
    }, title, isChosen ? h("span.sorted", null, " ↓") : null);
    return h(`div.of-${name}${isNumber ? ".n" : ""}`, null, name === "took" ? ticks() : null, label);
  }

  #menu() {
    const boxes = columns.filter(({ always }) => !always).map(({ name, title }) => {
      const box = h("input", { type: "checkbox", checked: this.#names.includes(name), onChange: () => {
        const wanted = new Set(this.#names);
        if (box.checked) wanted.add(name);
        else wanted.delete(name);
        this.#names = columns.filter((column) => column.always || wanted.has(column.name)).map((column) => column.name);
        keep(this.#names);
        this.#draw();
        this.#onChange();
      } });
      return h("label", null, box, title);
    });
    const menu = h("details.column-menu", { onKeydown: (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.stopPropagation();
      menu.open = false;
      menu.querySelector("summary").focus();
    }, onFocusout: (event) => { if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false; } },
    h("summary.small", { title: "Which columns are shown" }, "Columns", icon("down")), h("div.menu", { role: "group", aria: { label: "Columns" } }, boxes));
    return menu;
  }
}
