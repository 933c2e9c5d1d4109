// The replay beside the timeline: the screen as it was at the playhead, with the touches, and what moves the playhead.

import { fill, h } from "../base/dom.js";
import { duration, offset, plural } from "../base/format.js";
import { icon } from "../base/icons.js";
import { Clock } from "./clock.js";
import { Live } from "./live.js";
import { Picture } from "./picture.js";
import { Scrubber } from "./scrubber.js";
import { Touches } from "./touches.js";
import { drawWireframe, snapshotAt } from "./wireframe.js";

const speeds = [0.5, 1, 2, 4, 8];
/** How long a frame that was lost would have been seen, at most, in ms. */
const lostFrame = 400;
/** A wireframe is as good as new for so long, in ms. */
const current = 500;

export class Player {
  element;
  clock;
  live;
  /** Whether the session still runs. */
  #isRunning = false;
  #onLive;
  #recording;
  #outline;
  #playhead;
  #viewport;
  #picture;
  #touches;
  #screen = null;
  #following = null;
  /** Chosen. */
  #isWireframe = false;
  /** Shown, by choice or where there is no picture. */
  #hasWireframe = false;
  #shown = null;
  #parts;

  /** @param {{recording, outline, details, playhead, viewport, signal: AbortSignal, onLive: () => void}} options  `onLive`: somebody wants to watch live, or not any more */
  constructor({ recording, outline, details, playhead, viewport, signal, onLive }) {
    this.#onLive = onLive;
    this.#recording = recording;
    this.#outline = outline;
    this.#playhead = playhead;
    this.#viewport = viewport;
    this.#touches = new Touches({ outline, details });
    this.clock = new Clock({
      playhead, end: () => this.live.isOn ? this.live.edge : viewport.last, nextActivity: (time) => this.#nextActivity(time), onChange: () => { this.#drawBar(); this.#note(playhead.time); },
    });
    this.live = new Live({ recording, playhead, clock: this.clock, onChange: () => { this.#drawBar(); this.#note(playhead.time); } });
    this.#build(new Scrubber({ recording, outline, viewport, playhead, signal }));
    this.#picture = new Picture({
      canvas: this.#parts.picture, recording,
      onShown: (frame, following) => this.#pictured(frame, following), onProblem: (error) => this.#say(`This part cannot be shown: ${error.message}`),
    });
    playhead.subscribe((time, event, by) => this.#moved(time, event, by));
  }

  #build(scrubber) {
    const button = (name, title, onClick) => h("button.plain", { type: "button", title, aria: { label: title }, onClick }, icon(name));
    const picture = h("canvas.screen-picture");
    const touches = h("canvas.screen-touches");
    const note = h("p.screen-note", { hidden: true, role: "status" });
    const age = h("p.screen-age", { hidden: true });
    const screen = h("div.replay-screen", { role: "img", aria: { label: "The screen" }, onClick: () => this.toggle() }, h("div.glass", null, picture, touches), age, note);
    const play = button("play", "Play (Space)", () => this.toggle());
    const speed = h("select", { aria: { label: "Speed" }, onChange: () => { this.clock.speed = Number(speed.value); } },
      speeds.map((value) => h("option", { value, selected: value === 1 }, `${value}×`)));
    const skips = h("input", { type: "checkbox", checked: true, onChange: () => { this.clock.skips = skips.checked; } });
    const kind = h("button.small", { type: "button", title: "Pictures or wireframes (w)", onClick: () => this.switchKind() });
    const whole = button("fit", "Full screen (F)", () => this.toggleFullScreen());
    const live = h("button.small.live", { type: "button", hidden: true, title: "Watch live (l)", onClick: () => this.#onLive() }, h("i"), "Live");
    this.#parts = { picture, touches, note, age, screen, play, speed, kind, live, scrubber };
    this.element = h("section.player", { hidden: true, aria: { label: "Replay" } }, screen, scrubber.element,
      h("div.player-bar", { role: "toolbar", aria: { label: "Replay" } },
        button("left", "Previous frame (<)", () => this.stepFrame(-1)), play, button("right", "Next frame (>)", () => this.stepFrame(1)), speed,
        h("span.spring"), live, kind, whole,
        h("label.skip-idle", { title: "Skips inactivity and time in the background" }, skips, "Skip inactivity")));
  }

  /** What is recorded has changed. */
  update() {
    const { isEmpty, hasPictures, hasWireframes } = this.#recording;
    this.element.hidden = isEmpty;
    this.#parts.kind.hidden = !hasPictures || !hasWireframes;
    if (!hasPictures) this.#isWireframe = true;
    this.#parts.scrubber.update();
    this.#drawBar();
    this.#show(this.#playhead.time);
    this.live.update();
  }

  /** What happened has changed. */
  grown() { this.#parts.scrubber.update(); }

  /** The session runs, or has ended. */
  setRunning(isRunning) {
    this.#isRunning = isRunning;
    this.#drawBar();
  }

  close() { this.clock.pause(); }

  get #isSeen() { return !this.element.hidden; }

  // MARK: Commands

  toggle() {
    if (!this.#isSeen) return;
    if (this.live.isOn) return this.#onLive();
    if (this.clock.isPlaying) return this.clock.pause();
    // From its beginning, where it is over.
    if (this.#playhead.time >= this.#viewport.last - 1) this.#playhead.move(this.#viewport.first, { by: "play" });
    this.clock.play();
  }

  switchKind() {
    if (!this.#recording.hasPictures || !this.#recording.hasWireframes) return;
    this.#isWireframe = !this.#isWireframe;
    this.#shown = null;
    this.#drawBar();
    this.#show(this.#playhead.time);
  }

  toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.element.requestFullscreen?.().catch(() => {});
  }

  /** To the next frame, or the one before. */
  async stepFrame(by) {
    this.clock.pause();
    const kind = this.#isWireframe ? "hierarchy" : "screenshots";
    const time = this.#playhead.time;
    let segment = this.#recording.segmentAt(kind, time);
    if (!segment) return;
    const inside = (timed) => by > 0 ? timed.find((one) => one.time > time) : timed.findLast((one) => one.time < time);
    let found = inside(await this.#recording.contents(kind, segment));
    segment = by > 0 ? this.#recording.next(kind, segment) : this.#recording.before(kind, segment);
    if (!found && segment) found = inside(await this.#recording.contents(kind, segment));
    if (found) this.#playhead.move(found.time, { by: "play" });
  }

  // MARK: Showing

  #moved(time, event, by) {
    // Somebody has chosen an event: it is looked at, and does not pass by.
    if (event !== null && by !== "play") this.clock.pause();
    if (by === "play" && (time < this.#viewport.from || time > this.#viewport.to)) this.#turnPage(time);
    this.#show(time);
  }

  /** The tracks turn like a page: to draw them anew with each frame would be a waste. */
  #turnPage(time) {
    const { span } = this.#viewport;
    this.#viewport.show(time - span * 0.05, time + span * 0.95);
  }

  #show(time) {
    if (!this.#isSeen) return;
    // Before there is a picture, the first one.
    const seen = Math.max(time, this.#recording.firstPicture);
    this.#parts.screen.classList.toggle("early", seen > time);
    const isBefore = !this.#recording.segmentAt("screenshots", seen);
    this.#hasWireframe = this.#isWireframe || (isBefore && this.#recording.hasWireframes);
    if (this.#hasWireframe) {
      this.#picture.covered();
      this.#showWireframe(seen);
    } else this.#picture.show(seen);
    this.#note(time);
    this.#drawTouches(time);
    this.#parts.screen.setAttribute("aria-label", `The screen at ${offset(time - this.#outline.start)}`);
  }

  async #showWireframe(time) {
    try {
      const snapshot = await snapshotAt(this.#recording, time);
      if (!snapshot || snapshot === this.#shown || !this.#hasWireframe || time !== Math.max(this.#playhead.time, this.#recording.firstPicture)) return;
      this.#shown = snapshot;
      this.#parts.picture.dataset.time = snapshot.time;
      this.#sized(drawWireframe(this.#parts.picture, snapshot));
      this.#note(this.#playhead.time);
    } catch (error) {
      if (error.name !== "AbortError") this.#say(`This part cannot be shown: ${error.message}`);
    }
  }

  #pictured(frame, following) {
    if (this.#hasWireframe) return;
    this.#shown = frame;
    this.#following = following;
    if (frame) this.#sized(frame);
    this.#parts.picture.dataset.time = frame?.time ?? "";
    this.#note(this.#playhead.time);
  }

  #sized({ width, height, scale }) {
    this.#parts.picture.parentElement.style.setProperty("--ratio", (width / height).toFixed(4));
    this.#screen = { width, height, scale };
    this.#drawTouches(this.#playhead.time);
  }

  /** Not on the wireframe of another screen: there they would be on something else than was touched. */
  #drawTouches(time) {
    if (this.#screen) this.#touches.draw(this.#parts.touches, time, this.#screen, { isHidden: this.#isOutdated(time) });
  }

  /** Whether a wireframe is shown that was taken before the app went to the screen of a moment. */
  #isOutdated(time) {
    if (!this.#hasWireframe || !this.#shown) return false;
    const { navigations, times } = this.#outline;
    return navigations.some((place) => times[place] > this.#shown.time && times[place] <= time);
  }

  /** How old a wireframe is: they are taken when the screen changes, and every other second. */
  #drawAge(time) {
    const { age, screen } = this.#parts;
    const old = this.#hasWireframe && this.#shown ? time - this.#shown.time : 0;
    const isOutdated = this.#isOutdated(time);
    screen.classList.toggle("outdated", isOutdated);
    age.hidden = old < current && !isOutdated;
    const words = `${isOutdated ? "Previous screen" : "Wireframe"} from ${duration(old)} ago`;
    if (!age.hidden && age.textContent !== words) age.textContent = words;
  }

  /** What the screen alone does not say of a moment. */
  #note(time) {
    this.#drawAge(time);
    const recording = this.#recording;
    const last = recording.noteAt(time);
    const next = this.#following;
    const isLost = next?.isGap && time < next.time && time > Math.max(this.#shown?.time ?? Infinity, next.time - Math.max(next.dropped * lostFrame, 1000));
    if (time < recording.firstPicture) this.#say(`Replay starts at ${offset(recording.firstPicture - this.#outline.start)}`);
    else if (this.live.isWaiting || (this.#isRunning && time >= recording.end)) this.#say("Waiting for more frames");
    else if (time > recording.end + 1000) this.#say("End of recording");
    else if (last?.type === "background") this.#say("In the background");
    else if (isLost) this.#say(next.dropped ? `${plural(next.dropped, "frame")} lost here` : "Frames lost here");
    else this.#say("");
  }

  #say(words) {
    const { note } = this.#parts;
    if (note.textContent !== words) note.textContent = words;
    note.hidden = !words;
  }

  #drawBar() {
    const { play, kind, live } = this.#parts;
    live.hidden = !this.#isRunning && !this.live.isOn;
    live.setAttribute("aria-pressed", String(this.live.isOn));
    const title = this.clock.isPlaying ? "Pause (Space)" : "Play (Space)";
    fill(play, icon(this.clock.isPlaying ? "pause" : "play"));
    play.title = title;
    play.setAttribute("aria-label", title);
    kind.textContent = this.#isWireframe ? "Wireframe" : "Pictures";
    kind.setAttribute("aria-pressed", String(this.#isWireframe));
  }

  /** When something next happens: on the screen, or in the app. */
  #nextActivity(time) {
    const { length, times } = this.#outline;
    const next = this.#outline.at(time) + 1;
    return Math.min(this.#recording.nextChange(time), next < length ? times[next] : Infinity);
  }
}
