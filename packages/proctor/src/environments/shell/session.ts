// One shell process, from its start to its end: commands go in framed, output comes out with the ends of commands taken out of it.
import { ProctorError } from "../../core/errors.ts";
import type { Environment, EnvironmentProcess } from "../../core/ports/environments.ts";
import { within } from "../../runtime/processes/end-by-force.ts";
import { lastWords, streamEnd } from "../../runtime/processes/last-words.ts";
import { letGo } from "../../runtime/processes/let-go.ts";
import { readDirectly } from "../../runtime/processes/pipe-stream.ts";
import { createEndFinder } from "./find-end.ts";
import type { CommandEnd } from "./find-end.ts";
import { createMarker, frameCommand, framePrologue } from "./frame.ts";
import type { ShellKind } from "./frame.ts";

export interface Session {
  readonly process: EnvironmentProcess;
  /** The shell's exit code once it has ended and all its output was read; undefined while it lives. */
  readonly gone: number | undefined;
  /** Resolves when no process can write to the shell's streams any more. */
  readonly silent: Promise<unknown>;
  send(command: string, listener: SessionListener): void;
  wait(paused: boolean): void;
  /** Drops all output from now on. */
  letGo(): void;
}

interface SessionListener {
  /** Called in the middle of the output: what comes after it does not belong to this command. */
  onEnd(end: CommandEnd): void;
  /** Called when the shell ended before the command did. */
  onGone(code: number): void;
}

export interface SessionOptions {
  start: Environment["start"];
  kind: ShellKind;
  env: Readonly<Record<string, string>> | undefined;
  user: string | undefined;
  onOutput: (bytes: Buffer) => void;
}

const COMMANDS: Record<ShellKind, readonly string[]> = {
  bash: ["bash", "--noprofile", "--norc"],
  sh: ["sh"],
};
const READY_WITHIN_MS = 30_000;
/** Bytes of output from which a command is expected to write a lot more. */
const MUCH_BYTES = 2 * 1024 * 1024;

/** Starts in `cwd`, or in `otherwise` if that cannot be entered. Undefined when the shell ended before it was ready. */
export async function startSession(
  options: SessionOptions,
  cwd: string,
  otherwise: string,
): Promise<{ session: Session; begin: CommandEnd } | undefined> {
  const session = openSession(options);
  let ready: CommandEnd | undefined;
  const begun = new Promise<void>((resolve) => {
    session.begin(cwd, otherwise, {
      onEnd(end) {
        ready = end;
        resolve();
      },
      onGone: () => resolve(),
    });
  });
  const inTime = await within(begun, READY_WITHIN_MS);
  if (ready !== undefined) return { session, begin: ready };
  session.process.signal("SIGKILL");
  session.letGo();
  if (inTime) return undefined;
  throw new ProctorError(
    "ENVIRONMENT_UNAVAILABLE",
    `a shell did not start within ${READY_WITHIN_MS / 1000} s`,
  );
}

function openSession({ start, kind, env, user, onOutput }: SessionOptions) {
  const shell = start({
    command: COMMANDS[kind],
    // The directory is entered by the shell itself: one that is gone must not keep it from starting.
    cwd: "/",
    ...(env === undefined ? {} : { env }),
    ...(user === undefined ? {} : { user }),
  });
  let seen = 0;
  let isWaiting = false;
  let gone: number | undefined;
  let listener: SessionListener | undefined;
  const finder = createEndFinder({
    onOutput,
    onEnd: (end) => listener?.onEnd(end),
  });
  let ofCommand = 0;
  shell.stdin.on("error", () => undefined);
  const reading = readDirectly(shell.stdout, (chunk) => {
    seen += chunk.length;
    ofCommand += chunk.length;
    if (ofCommand > MUCH_BYTES) reading.widen();
    finder.push(chunk);
  });
  // The shell's own output is one stream; stderr is that of the program which holds it, or of a shell that could not start.
  shell.stderr.on("data", (chunk: Buffer) => {
    seen += chunk.length;
    onOutput(chunk);
  });

  const silent = Promise.all([streamEnd(shell.stdout), streamEnd(shell.stderr)]);
  void shell.exited.then(async ({ code }) => {
    // Silence means nothing while we do not read.
    await lastWords(silent, () => (isWaiting ? Number.NaN : seen));
    gone = code;
    finder.flush();
    listener?.onGone(code);
  });

  function say(text: string, marker: string, next: SessionListener): void {
    listener = next;
    ofCommand = 0;
    finder.expect(marker);
    if (gone === undefined) shell.stdin.write(text);
    else listener.onGone(gone);
  }

  return {
    process: shell,
    get gone() {
      return gone;
    },
    silent,
    begin(cwd: string, otherwise: string, next: SessionListener) {
      const marker = createMarker();
      say(framePrologue(kind, { cwd, otherwise, marker }), marker, next);
    },
    send(command: string, next: SessionListener) {
      const marker = createMarker();
      say(frameCommand(kind, command, marker), marker, next);
    },
    wait(paused: boolean) {
      isWaiting = paused;
      reading.wait(paused);
    },
    letGo() {
      reading.letGo();
      letGo(shell.stderr);
    },
  };
}
