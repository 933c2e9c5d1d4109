// How sessions ended, in words.

/** By the verdict on the last launch: what it is called, and how bad that is. */
const verdicts = {
  clean_exit: ["Exited normally", ""],
  crash: ["Crashed", "error"],
  hang_kill: ["Killed during a hang", "error"],
  out_of_memory: ["Out of memory", "error"],
  user_kill: ["Closed by user", ""],
  updated: ["Updated", ""],
  rebooted: ["Device restarted", ""],
  debugger: ["Debugger attached", ""],
  unknown: ["Unknown", ""],
};

/** What is asked for by `ended=`; "none" is a launch of which no later one has told. */
export const endedName = (verdict) =>
  verdict === "none" ? "Not known yet" : Object.hasOwn(verdicts, verdict) ? verdicts[verdict][0] : String(verdict);

export const endedTone = (verdict) => Object.hasOwn(verdicts, verdict ?? "") ? verdicts[verdict][1] : "";

export const hasName = (value) => ({ crash: "Crash", hang: "Hang", failed: "Failed request", error: "Error", live: "Live" })[value] ?? value;
