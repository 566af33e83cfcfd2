// A shell that remembers, over nothing but the streams of one program; it works alike on this machine, in a sandbox and through a
// container engine. A shell that ends is followed by a new one in the same directory.
import { setTimeout as delay } from "node:timers/promises";
import { DEFAULT_LIMITS } from "../../core/environment.ts";
import { ProctorError } from "../../core/errors.ts";
import type {
  Environment,
  Shell,
  ShellCommand,
  ShellOptions,
  ShellResult,
} from "../../core/ports/environments.ts";
import { within } from "../../runtime/processes/end-by-force.ts";
import { createCapture } from "./capture.ts";
import type { Capture } from "./capture.ts";
import { execute } from "./execute.ts";
import type { ShellKind } from "./frame.ts";
import { startSession } from "./session.ts";
import type { Session } from "./session.ts";

export interface OpenShellOptions extends ShellOptions {
  /** The directory that the shell starts in, and a new shell when the last directory is gone. */
  workdir: string;
  /** A directory of this machine for output that an excerpt does not hold; the system's temporary directory when absent. */
  spillDir?: string;
}

const EXCERPT_BYTES = 10_000;
const WHOLE_BYTES = DEFAULT_LIMITS.output_mb * 1024 * 1024;
const CLOSE_MS = 1000;
/** Milliseconds that background jobs of a stopped command have to end after they were asked to. */
const REST_MS = 100;

export async function openShell(start: Environment["start"], options: OpenShellOptions): Promise<Shell> {
  const { workdir, excerptBytes = EXCERPT_BYTES, wholeBytes = WHOLE_BYTES, spillDir } = options;
  const wanted = options.cwd ?? workdir;
  let cwd = wanted;
  let entered = false;
  let kind: ShellKind = "bash";
  let session: Session | undefined;
  let running: { since: number } | undefined;
  let closed = false;
  /** How a shell ended since the last result that reported it. */
  let lost: ShellResult["restarted"];
  /** Shells that have ended and may have left something running. */
  const former = new Set<Session>();
  let capture = newCapture();

  function newCapture(): Capture {
    return createCapture({
      excerptBytes,
      wholeBytes,
      spillDir,
      onPressure(wait) {
        for (const one of session === undefined ? former : [...former, session]) one.wait(wait);
      },
    });
  }

  /** Takes the capture; later output, such as that of background jobs, belongs to the next command. */
  function takeCapture(): Capture {
    const taken = capture;
    capture = newCapture();
    return taken;
  }

  async function begin(): Promise<Session> {
    const kinds: ShellKind[] = kind === "bash" ? ["bash", "sh"] : ["sh"];
    for (const one of kinds) {
      const onOutput = (bytes: Buffer): void => capture.push(bytes);
      const started = await startSession(
        { start, kind: one, env: options.env, user: options.user, onOutput },
        cwd,
        workdir,
      );
      if (started === undefined) continue;
      if (closed) await endSession(started.session);
      if (one !== kind) await takeCapture().discard();
      kind = one;
      session = started.session;
      cwd = started.begin.cwd || cwd;
      entered = started.begin.code === 0;
      return started.session;
    }
    const { output } = await takeCapture().finish();
    throw new ProctorError(
      "ENVIRONMENT_UNAVAILABLE",
      `no shell could be started: ${output.text.trim() || "it ended at once"}`,
    );
  }

  function lose(one: Session, how: ShellResult["restarted"]): void {
    lost = how;
    session = undefined;
    former.add(one);
    void one.silent.then(() => former.delete(one));
  }

  async function run(command: string, request: ShellCommand): Promise<ShellResult> {
    request.signal?.throwIfAborted();
    if (closed) throw new Error("the shell is closed");
    if (running !== undefined) throw new Error("the shell is busy with another command");
    if (command.includes("\0")) return refuseNul(cwd);
    running = { since: Date.now() };
    try {
      return await runHere(command, request);
    } finally {
      running = undefined;
    }
  }

  async function runHere(command: string, request: ShellCommand): Promise<ShellResult> {
    const startedAt = performance.now();
    if (session?.gone !== undefined) lose(session, howGone(session.gone));
    const here = session ?? (await begin());
    request.signal?.throwIfAborted();
    // Taken after the shell was started, which is not one of the command's processes.
    const since = Date.now();
    running = { since };
    if (request.onOutput !== undefined) capture.listen(request.onOutput);
    const outcome = await execute(here, command, { ...request, since, takeCapture });
    if (outcome.end !== undefined) cwd = outcome.end.cwd || cwd;
    else lose(here, outcome.timedOut ? "killed" : howGone(outcome.code));
    // Background jobs ignore the signals that are meant for the terminal.
    if (outcome.timedOut) await killRest(here, since);
    if (request.signal?.aborted === true) {
      await outcome.capture.discard();
      throw request.signal.reason;
    }
    if (session === undefined && !closed) await begin();
    const restarted = lost;
    lost = undefined;
    return {
      exitCode: outcome.timedOut ? 124 : (outcome.code ?? outcome.end.code),
      cwd,
      ...(await outcome.capture.finish()),
      timedOut: outcome.timedOut,
      ...(restarted === undefined ? {} : { restarted }),
      durationMs: performance.now() - startedAt,
    };
  }

  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    if (session !== undefined) {
      if (running !== undefined) await session.process.signalChildren("SIGKILL", running.since);
      await endSession(session);
      former.add(session);
    }
    for (const one of former) one.letGo();
    await capture.discard();
  }

  await begin();
  if (!entered) {
    await close();
    throw new ProctorError(
      "ENVIRONMENT_UNAVAILABLE",
      `a shell cannot start in ${wanted}: it cannot be entered`,
    );
  }
  return {
    get cwd() {
      return cwd;
    },
    run,
    close,
  };
}

/** Background jobs live on, as after `exit`, until the environment is destroyed. */
async function endSession({ process }: Session): Promise<void> {
  process.stdin.end();
  if (!(await within(process.exited, CLOSE_MS))) process.signal("SIGKILL");
  await process.exited;
}

async function killRest({ process }: Session, since: number): Promise<void> {
  await process.signalChildren("SIGTERM", since);
  await delay(REST_MS);
  await process.signalChildren("SIGKILL", since);
}

/** An exit code above 128 reports a signal. */
function howGone(code: number): "exited" | "killed" {
  return code > 128 ? "killed" : "exited";
}

function refuseNul(cwd: string): ShellResult {
  const text = "proctor: the command was not run: it holds a NUL character, which no command can";
  return {
    exitCode: 2,
    cwd,
    output: { text, bytes: Buffer.byteLength(text), truncated: false },
    timedOut: false,
    durationMs: 0,
  };
}
