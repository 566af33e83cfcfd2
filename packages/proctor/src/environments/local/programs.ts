// Starts the programs of a local environment: which variables they get, where they start, and how they are all found again.
import { messageOf } from "../../core/message-of.ts";
import type { EnvironmentProcess, StartOptions } from "../../core/ports/environments.ts";
import { dieWithUs } from "../../runtime/processes/die-with-us.ts";
import { notStarted } from "../../runtime/processes/not-started.ts";
import { sendSignal, signalGroup } from "../../runtime/processes/signal.ts";
import { startHere } from "../../runtime/processes/start-here.ts";
import { findMarked, killMarked } from "../../runtime/processes/strays.ts";
import type { Place } from "./place.ts";
import { refuseUser } from "./refuse.ts";
import { DEFAULT_PATH } from "../default-path.ts";

export interface Programs {
  start: (options: StartOptions) => EnvironmentProcess;
  variables(env?: Readonly<Record<string, string>>): Record<string, string>;
  /** Returns the path on this machine for a path of the environment. */
  directory(cwd: string | undefined): string;
  /** Kills all programs, and resolves when none is left; nothing is started any more. */
  end(): Promise<void>;
}

/** The only variables of this process that programs inherit. */
const KEPT = ["LANG", "LC_ALL", "LC_CTYPE", "TZ"];

/** The variable with the directory of the environment, by which its programs are found wherever they go. */
export const MARK_VARIABLE = "PROCTOR_ENVIRONMENT";

export function createPrograms(place: Place, given: Readonly<Record<string, string>>): Programs {
  const mark = place.base;
  /** The numbers of the process groups that run. */
  const groups = new Set<number>();
  const killGroups = (): void => groups.forEach((leader) => signalGroup(leader, "SIGKILL"));
  const release = dieWithUs(() => {
    killGroups();
    for (const pid of findMarked(MARK_VARIABLE, mark)) sendSignal(pid, "SIGKILL");
  });
  let ended = false;

  function variables(env: Readonly<Record<string, string>> = {}): Record<string, string> {
    const kept = KEPT.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      PATH: process.env["PATH"] ?? DEFAULT_PATH,
      ...Object.fromEntries(kept),
      HOME: place.work,
      TMPDIR: place.tmp,
      ...given,
      ...env,
      [MARK_VARIABLE]: mark,
    };
  }

  function directory(cwd: string | undefined): string {
    if (cwd === undefined) return place.work;
    try {
      return place.real(cwd);
    } catch {
      // Any other directory is one of this machine.
      return cwd;
    }
  }

  return {
    variables,
    directory,
    start({ command, env, cwd, user }) {
      if (ended) return notStarted({ code: 126, message: "the environment is destroyed" });
      try {
        refuseUser(user);
      } catch (error) {
        return notStarted({ code: 126, message: messageOf(error) });
      }
      const program = startHere({ command, env: variables(env), cwd: directory(cwd) });
      const { pid } = program;
      if (pid !== undefined) {
        groups.add(pid);
        void program.exited.then(() => groups.delete(pid));
      }
      return program;
    },
    async end() {
      ended = true;
      killGroups();
      await killMarked(MARK_VARIABLE, mark);
      release();
    },
  };
}
