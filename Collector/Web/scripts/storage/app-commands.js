// Asks a running app: the collector hands the question on, and waits for the answer.

import * as api from "../base/api.js";
import { send } from "../base/send.js";

/** Why an app did not do what it was asked: `code` is for programs. */
export class CommandError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** The apps that listen at this moment, the latest first, and the launches of those that have left. */
export async function listeners(signal) {
  const { listeners, left } = await api.get("commands", {}, signal);
  return { apps: listeners, left };
}

/** How old an app's last event may be when it is said to run, in ms. */
const recently = 120_000;

/** The app that delivers at this moment and has never asked for commands, by its bundle id; null when there is none. */
export async function silentApp(wanted, left, signal) {
  const { launches } = await api.get("launches", { limit: 50 }, signal);
  const runs = ({ launchId, bundleId, last, final, end }) => bundleId && !final && !end && !left.includes(launchId)
    && (!wanted || bundleId === wanted) && Math.abs(Date.now() - last) < recently;
  return launches.find(runs)?.bundleId ?? null;
}

/** An app that listens: each of its launches is one. */
export class AppConnection {
  constructor({ launchId, bundleId, commands }) {
    this.launchId = launchId;
    this.bundleId = bundleId;
    this.commands = new Set(commands);
  }

  knows(command) { return this.commands.has(command); }

  /** @throws {CommandError|api.ApiError} */
  async ask(command, args, signal) {
    const body = { command, launchId: this.launchId, arguments: args ?? {}, timeoutSeconds: 20 };
    let answer;
    try {
      ({ answer } = await send("POST", "commands", body, signal));
    } catch (error) {
      if (error.code === "no_listener") throw new CommandError("gone", "The app no longer responds: it has ended, or is in the background.");
      if (error.code === "timeout") throw new CommandError("timeout", "The app did not respond in time. It may be in the background.");
      throw error;
    }
    if (answer?.ok !== true) throw new CommandError(answer?.error?.code ?? "failed", answer?.error?.message ?? "The app gave no reason.");
    return answer.result;
  }
}
