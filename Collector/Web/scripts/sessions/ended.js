// How sessions ended, in words.

/** By the verdict on the last launch: what it is called, and how bad that is. */
const verdicts = {
  clean_exit: ["Ended by itself", ""],
  crash: ["Crashed", "error"],
  hang_kill: ["Killed while hanging", "error"],
  out_of_memory: ["Out of memory", "error"],
  user_kill: ["Killed by the user", ""],
  updated: ["Updated", ""],
  rebooted: ["Device restarted", ""],
  debugger: ["Under a debugger", ""],
  unknown: ["Not known", ""],
};

/** What is asked for by `ended=`; "none" is a launch of which no later one has told. */
export const endedName = (verdict) =>
  verdict === "none" ? "Not told yet" : Object.hasOwn(verdicts, verdict) ? verdicts[verdict][0] : String(verdict);

export const endedTone = (verdict) => Object.hasOwn(verdicts, verdict ?? "") ? verdicts[verdict][1] : "";

export const hasName = (value) => ({ crash: "A crash", hang: "A hang", failed: "A failed request", error: "Any error", live: "Live now" })[value] ?? value;
