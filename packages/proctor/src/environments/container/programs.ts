// A program in a container: an exec of the engine whose stream is a process's three. The engine tells how it ended; signals reach it
// through the container's control shell, because an engine has none for an exec.
import { Writable, type Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type Docker from "dockerode";
import type { EnvironmentProcess, ProcessEnd, StartOptions } from "../../core/ports/environments.ts";
import type { Control } from "./control.ts";
import { demultiplex } from "./demultiplex.ts";
import { reasonOf, statusOf } from "./engine.ts";
import { openOutlet } from "./outlet.ts";
import { readFirstLine } from "./first-line.ts";

/** The container, directory and user that programs run in by default. */
export interface ExecPlace {
  container: Docker.Container;
  control: Control;
  workdir: string;
  user: string;
}

/** Script that prints its pid, enters the directory and becomes the program, so that refusals read the same in every image. */
const WRAPPER = 'echo $$; cd -- "$1" || exit 126; shift; unset OLDPWD; exec "$@"';
const KILLED = 137;
const CANNOT_START = 126;
/** Milliseconds that a killed program is waited for; the end of its container ends it at the latest. */
const KILL_PATIENCE_MS = 10_000;

export function startExec(place: ExecPlace, options: StartOptions): EnvironmentProcess {
  const { control } = place;
  let socket: Duplex | undefined;
  let over = false;
  const resume = (): void => {
    if (stdout.ready() && stderr.ready()) socket?.resume();
  };
  const stdout = openOutlet(resume);
  const stderr = openOutlet(resume);
  let knowPid: (pid: number | undefined) => void = () => undefined;
  const pid = new Promise<number | undefined>((resolve) => (knowPid = resolve));
  let end: (end: ProcessEnd) => void = () => undefined;
  const exited = new Promise<ProcessEnd>((resolve) => (end = resolve));
  const opened = openExec(place, options);
  // The result is used below, and a failure must not count as unhandled before.
  opened.catch(() => undefined);

  const first = readFirstLine((found) => {
    knowPid(found);
    program = found === undefined ? stderr : stdout;
  });
  let program = stdout;

  async function supervise(): Promise<void> {
    const { exec, stream } = await opened;
    socket = stream;
    await demultiplex(
      stream,
      {
        push(piece) {
          const own = first.take(piece);
          return own === undefined || own.length === 0 || program.push(own);
        },
        ready: () => stdout.ready(),
      },
      stderr,
    );
    const rest = first.rest();
    if (rest.length > 0) stderr.push(rest);
    endStreams();
    finish(await exitCode(exec));
  }

  function endStreams(): void {
    stdout.end();
    stderr.end();
  }

  function finish(code: number): void {
    over = true;
    knowPid(undefined);
    end({ code });
  }

  supervise().catch((error: unknown) => {
    stderr.push(Buffer.from(`cannot start ${options.command[0] ?? "nothing"}: ${reasonOf(error)}\n`));
    endStreams();
    finish(CANNOT_START);
  });

  /** Watches for the end of a signalled program, which a reader that stopped reading would hide. */
  async function watch(): Promise<void> {
    const { exec, stream } = await opened;
    const code = await Promise.race([exitCode(exec), pause(KILL_PATIENCE_MS, KILLED, { ref: false })]);
    if (over) return;
    finish(code);
    if (stdout.ready() && stderr.ready()) stream.destroy();
  }

  return {
    pid: undefined,
    stdin: openStdin(opened.then(({ stream }) => stream)),
    stdout: stdout.stream,
    stderr: stderr.stream,
    exited,
    signal(name) {
      void pid.then((root) =>
        root === undefined
          ? undefined
          : control.signal({ name, root, ...(over ? { childrenOf: Infinity } : {}) }),
      );
      if (name === "SIGKILL") watch().catch(() => undefined);
    },
    async signalChildren(name, since) {
      const root = await pid;
      if (root !== undefined) await control.signal({ name, root, childrenOf: Date.now() - since });
    },
  };
}

interface OpenExec {
  exec: Docker.Exec;
  stream: Duplex;
}

/** Opens an exec with a `terminal` of that size, or with pipes when there is none. */
export async function openExec(
  place: ExecPlace,
  { command, env = {}, cwd = place.workdir, user = place.user }: StartOptions,
  terminal?: { rows: number; columns: number },
): Promise<OpenExec> {
  if (command.length === 0) throw new Error("the command is empty");
  const tty = terminal !== undefined;
  const size = terminal ? `stty rows ${terminal.rows} cols ${terminal.columns} 2>/dev/null; ` : "";
  const exec = await place.container.exec({
    Cmd: ["/bin/sh", "-c", size + WRAPPER, "sh", cwd, ...command],
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    User: user,
    WorkingDir: "/",
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: tty,
  });
  return { exec, stream: await exec.start({ hijack: true, stdin: true, Tty: tty }) };
}

/** Polls the engine until the program is over, because the stream may end before the program, or before the engine knows. */
export async function exitCode(exec: Docker.Exec): Promise<number> {
  let failures = 0;
  for (let wait = 10; ; wait = Math.min(wait * 2, 1000)) {
    try {
      const { Running: running, ExitCode: code } = await exec.inspect();
      failures = 0;
      if (!running) return code ?? KILLED;
    } catch (error) {
      // The container was removed, and the program with it; or the engine is gone for good.
      if (statusOf(error) === 404 || ++failures === 5) return KILLED;
    }
    await pause(wait);
  }
}

/** Waits for the stream; what is written to a program that is gone is dropped. */
function openStdin(stream: Promise<Duplex>): Writable {
  stream.catch(() => undefined);
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      stream.then(
        (open) => (open.writable ? open.write(chunk, () => done()) : done()),
        () => done(),
      );
    },
    final(done) {
      stream.then(
        (open) => {
          open.end();
          done();
        },
        () => done(),
      );
    },
  });
}
