// The bar over the tracks: the moment and its screen, the steps from event to event, and how close one looks.

import { fill, h } from "../base/dom.js";
import { offset } from "../base/format.js";
import { icon } from "../base/icons.js";

export class Transport {
  element;
  #time = h("output.moment", { aria: { label: "Moment" } });
  #screen = h("span.at");
  #follow;

  /** @param {{onStep: (by: number) => void, onError: (by: number) => void, onZoom: (factor: number) => void, onFit: () => void, onFollow: () => void}} on */
  constructor({ onStep, onError, onZoom, onFit, onFollow }) {
    const button = (name, title, onClick) => h("button.plain", { type: "button", title, aria: { label: title }, onClick }, icon(name));
    this.#follow = h("button.small.follow", { type: "button", hidden: true, title: "Follow new events (f)", onClick: onFollow });
    this.element = h("div.transport", { role: "toolbar", aria: { label: "Playhead" } },
      h("span.steps", null, button("left", "Previous event (k)", () => onStep(-1)), button("right", "Next event (j)", () => onStep(1))),
      this.#time, this.#screen, h("span.spring"), this.#follow,
      h("span.steps.errors-steps", null, button("up", "Previous error (E)", () => onError(-1)), h("span.faint", null, "Errors"), button("down", "Next error (e)", () => onError(1))),
      h("span.steps.zoom", null, button("minus", "Zoom out (−)", () => onZoom(0.5)), button("plus", "Zoom in (+)", () => onZoom(2)), button("fit", "Whole session (0)", onFit)));
  }

  update(time, screen) {
    this.#time.textContent = offset(time);
    this.#screen.textContent = screen;
  }

  setErrors(n) { this.element.querySelector(".errors-steps").hidden = !n; }

  setFollow(isLive, isFollowing) {
    this.#follow.hidden = !isLive && !isFollowing;
    this.#follow.setAttribute("aria-pressed", String(isFollowing));
    fill(this.#follow, icon(isFollowing ? "stop" : "follow"), h("span", null, isFollowing ? "Following" : "Jump to live"));
  }
}
