// How apps are called.

/** "com.example.coffee" is "coffee" to people. */
export const shortName = (bundleId) => String(bundleId ?? "").split(".").at(-1) || "Unknown app";
