// One command in a running shell, to its end: its own, the time limit's, the caller's, or the shell's.
import type { ShellCommand } from "../../core/ports/environments.ts";
import { endByForce, GRACE_MS, within } from "../../runtime/processes/end-by-force.ts";
import type { Capture } from "./capture.ts";
import type { CommandEnd } from "./find-end.ts";
import type { Session } from "./session.ts";

export type Outcome = { capture: Capture; timedOut: boolean } & (
  | { end: CommandEnd; code?: never }
  /** The exit code of a shell that has ended. */
  | { code: number; end?: never }
);

interface ExecuteOptions extends Pick<ShellCommand, "timeoutMs" | "signal"> {
  since: number;
  takeCapture: () => Capture;
}

const KILL_AGAIN_MS = 40;

export function execute(session: Session, command: string, options: ExecuteOptions): Promise<Outcome> {
  const { timeoutMs, signal, since, takeCapture } = options;
  return new Promise((resolve) => {
    let over = false;
    let timedOut = false;
    let markOver: () => void = () => undefined;
    const ended = new Promise<void>((settle) => (markOver = settle));

    function settle(outcome: { end: CommandEnd } | { code: number }): void {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      // The capture is taken at once, in the middle of the output: what follows is not of this command.
      resolve({ ...outcome, capture: takeCapture(), timedOut });
      markOver();
    }
    const onAbort = (): void => void stop(session, since, ended, ["SIGKILL"]);
    const timer = setTimeout(() => {
      timedOut = true;
      void stop(session, since, ended, ["SIGINT", "SIGTERM", "SIGKILL"]);
    }, timeoutMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    session.send(command, { onEnd: (end) => settle({ end }), onGone: (code) => settle({ code }) });
  });
}

/** Ends what the command started, and the shell itself only if it still does not come back. */
async function stop(
  { process }: Session,
  since: number,
  ended: Promise<void>,
  signals: readonly (keyof typeof GRACE_MS)[],
): Promise<void> {
  const asked = signals.filter((name) => name !== "SIGKILL");
  if (await endByForce((name) => process.signalChildren(name, since), ended, asked)) return;
  // A script goes on with its next line when the command it waits for is killed, so this is repeated.
  for (const until = Date.now() + GRACE_MS.SIGKILL; Date.now() < until;) {
    await process.signalChildren("SIGKILL", since);
    if (await within(ended, KILL_AGAIN_MS)) return;
  }
  process.signal("SIGKILL");
}
