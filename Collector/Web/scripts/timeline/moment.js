// The panel while no event is chosen: where the app was at the playhead, in which context, and what led there.

import { copyFrom, fill, h, paced } from "../base/dom.js";
import { offset, preciseTime, zone } from "../base/format.js";
import { contextView } from "../detail/context.js";
import { breadcrumbList, breadcrumbs } from "./breadcrumbs.js";

/** How often what led to a moment is written anew while the moment moves, in ms: played, it moves with each frame. */
const interval = 250;

export class Moment {
  #outline;
  #details;
  #onSelect;
  #heading = h("h2", { tabIndex: -1 });
  #when = h("p.when");
  #screen = h("p.at-screen");
  #crumbs = h("div");
  #context = h("div");
  #shownPlace = -2;
  #content;

  constructor({ outline, details, onSelect }) {
    this.#outline = outline;
    this.#details = details;
    this.#onSelect = onSelect;
    const link = h("button.small", { type: "button", title: "Copy a link to this moment", onClick: () => copyFrom(link, location.href) }, "Copy link");
    this.#content = [
      h("header.at-playhead", null, h("div.bar", null, h("span.kind.type-unknown", null, "At this moment"), h("span.spring"), link),
        this.#heading, this.#when),
      h("div.scroll", { tabIndex: 0, role: "region", aria: { label: "At this moment" } },
        h("section", null, h("h3", null, "Screen"), this.#screen),
        h("section", null, h("h3", null, "Breadcrumbs"), this.#crumbs), this.#context),
    ];
  }

  get content() { return this.#content; }

  /** Writes only what has changed: the playhead moves with each frame. */
  update(time) {
    const { start, length } = this.#outline;
    for (const part of this.#content) part.hidden = length === 0;
    this.#heading.textContent = offset(time - start);
    this.#when.textContent = `${preciseTime(time)}, ${zone(time)}`;
    const place = this.#outline.at(time);
    const screen = (place < 0 ? "" : this.#outline.screenAt(place)) || "None yet";
    if (this.#screen.textContent !== screen) this.#screen.textContent = screen;
    if (place !== this.#wantedPlace) this.#settleLater(this.#wantedPlace = place, time);
  }

  #wantedPlace = -2;
  #settleLater = paced(interval, (place, time) => this.#settle(place, time));

  #settle(place, time) {
    if (place === this.#shownPlace) return;
    this.#shownPlace = place;
    fill(this.#crumbs, breadcrumbList(this.#outline, this.#details, breadcrumbs(this.#outline, place), time, this.#onSelect));
    const event = place < 0 ? undefined : this.#details.get(this.#outline.ids[place]);
    if (event) fill(this.#context, contextView(event));
  }

  /** Some events have arrived that were wanted here. */
  arrived(time) {
    this.#shownPlace = this.#wantedPlace = -2;
    this.update(time);
  }
}
