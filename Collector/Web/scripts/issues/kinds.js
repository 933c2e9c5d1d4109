// The kinds of issues: how each is called, and the type of event that it is made of.

export const kinds = ["crash", "hang", "failure"];

const known = {
  crash: { one: "Crash", many: "Crashes", type: "crash" },
  hang: { one: "Hang", many: "Hangs", type: "hang" },
  failure: { one: "Failure", many: "Failures", type: "handled_exception" },
};

export const about = (kind) => Object.hasOwn(known, kind) ? known[kind] : { one: "Report", many: "Reports", type: "unknown" };
