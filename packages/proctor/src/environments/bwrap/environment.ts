// One open environment: programs, shells and terminals in the same name spaces, over the same files.
import type { EnvironmentFacts } from "../../core/environment.ts";
import type { Environment, Pty, PtyOptions, StartOptions } from "../../core/ports/environments.ts";
import { notStarted } from "../../runtime/processes/not-started.ts";
import { runToEnd } from "../../runtime/processes/run-to-end.ts";
import { openPty } from "../pty/open-pty.ts";
import { openShell } from "../shell/open-shell.ts";
import { asUser, isRoot } from "./as-user.ts";
import type { InsideFiles } from "./inside-files.ts";
import type { Launcher, ProgramStart } from "./programs.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import { listChanges } from "./track-changes.ts";
import type { UpperListing, UpperReader } from "./upper-reader.ts";
import { DEFAULT_PATH } from "../default-path.ts";

interface EnvironmentDeps {
  facts: EnvironmentFacts;
  launcher: Launcher;
  files: InsideFiles;
  reader: UpperReader;
  /** The files that had been written when the environment began. */
  beginning: UpperListing | undefined;
  /** True when the beginning was not recorded, so that changes cannot be listed. */
  untracked: boolean;
  /** True when the environment lies over the files of another one, which do not count as its own. */
  isPartial: boolean;
  mountPoints: ReadonlySet<string>;
  /** Directories that were made for the environment. */
  own: ReadonlySet<string>;
  env: Readonly<Record<string, string>>;
  user: string | undefined;
  readOnly: boolean;
  /** A directory of this machine for output that is too long for memory. */
  spillDir: string;
  destroy: () => Promise<void>;
}

const BASE_ENV = {
  PATH: DEFAULT_PATH,
  LANG: "C.UTF-8",
};

/** Signals of the keyboard also reach bubblewrap and must not end it. Its program gets their default actions back where possible. */
const ON_TERMINAL = `
if env --default-signal=INT true 2>/dev/null; then exec env --default-signal=INT,QUIT,TSTP "$@"; fi
exec "$@"`;
const LOGIN_SHELL = [
  "/bin/sh",
  "-c",
  "if command -v bash >/dev/null; then exec bash --login; fi; exec sh -l",
];

export function createEnvironment(deps: EnvironmentDeps): Environment {
  const { facts, launcher, reader, beginning, mountPoints, own, spillDir } = deps;
  const { workdir, limits, profile } = facts;
  const wholeBytes = limits.output_mb === undefined ? {} : { wholeBytes: limits.output_mb * 1024 * 1024 };
  const thrown = new Set<string>();
  let destroying: Promise<void> | undefined;

  function program({ command, env, cwd = workdir, user = deps.user }: StartOptions): ProgramStart | string {
    const [file = ""] = command;
    if (file === "") return "the command is empty";
    const given = { ...deps.env, ...env };
    const words = [...command, cwd, ...Object.entries(given).flat()];
    if (words.some((word) => word.includes("\0")))
      return "a command, a directory or a variable holds a NUL character";
    if (Object.keys(given).some((name) => name === "" || name.includes("=")))
      return "a variable has a name that no variable can have";
    const root = isRoot(user);
    if (!root && profile !== "multi-user")
      return `the profile strict has one user, and ${String(user)} is another`;
    return {
      command: root || user === undefined ? command : asUser(user, command),
      env: { ...BASE_ENV, ...(root && { HOME: "/root", USER: "root", LOGNAME: "root" }), ...given },
      cwd,
      readOnly: deps.readOnly,
    };
  }

  const start: Environment["start"] = (options) => {
    if (destroying !== undefined) return notStarted({ code: 126, message: "the environment is destroyed" });
    const ready = program(options);
    return typeof ready === "string" ? notStarted({ code: 126, message: ready }) : launcher.start(ready);
  };

  async function startPty(options: PtyOptions): Promise<Pty> {
    const { command, env, cwd, user } = options;
    const ready = program({
      command: command === undefined ? LOGIN_SHELL : ["/bin/sh", "-c", ON_TERMINAL, "sh", ...command],
      env: { TERM: "xterm-256color", ...env },
      ...(cwd !== undefined && { cwd }),
      ...(user !== undefined && { user }),
    });
    if (typeof ready === "string") throw new Error(ready);
    if (destroying !== undefined) throw new Error("the environment is destroyed");
    const terminal = launcher.onTerminal(ready, command !== undefined);
    const pty = await openPty({ command: terminal.command, env: terminal.env }, options).catch(
      (error: unknown) => {
        terminal.end();
        throw error;
      },
    );
    terminal.follow(pty.exited);
    return {
      ...pty,
      async close() {
        await terminal.kill();
        await pty.close();
      },
    };
  }

  return {
    facts,
    workdir,
    start,
    run: (request) => runToEnd(start, request),
    openShell: (options = {}) => openShell(start, { ...wholeBytes, ...options, workdir, spillDir }),
    openPty: (options = {}) => startPty(options),
    ...deps.files,
    async changes() {
      if (deps.untracked) throw new Error("nobody remembers how the files were in the beginning");
      return listChanges(reader, beginning, own);
    },
    snapshot: (options) => {
      if (deps.isPartial) throw new Error("the files of an environment over another are not all its own");
      return takeSnapshot(reader, mountPoints, options);
    },
    async destroy() {
      destroying ??= deps.destroy();
      try {
        await destroying;
      } catch (error) {
        // Each reason is thrown once.
        const reason = String(error);
        if (thrown.has(reason)) return;
        thrown.add(reason);
        throw error;
      }
    },
  };
}
