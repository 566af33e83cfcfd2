// Starts the programs of a local environment: which variables they get, where they start, and how they are all found again.
import { messageOf } from "../../core/message-of.ts";
import type { EnvironmentProcess, StartOptions } from "../../core/ports/environments.ts";
import { notStarted } from "../process/not-started.ts";
import { signalGroup } from "../process/signal.ts";
import { startHere } from "../process/start-here.ts";
import { dieWithUs } from "./die-with-us.ts";
import { killMarked, MARK_VARIABLE } from "./kill-marked.ts";
import type { Place } from "./place.ts";
import { refuseUser } from "./refuse-local.ts";

export interface LocalPrograms {
  start: (options: StartOptions) => EnvironmentProcess;
  variables(env?: Readonly<Record<string, string>>): Record<string, string>;
  /** A path of this machine, for one of the environment. */
  directory(cwd: string | undefined): string;
  /** Resolves when none is left; nothing is started any more. */
  end(): Promise<void>;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Of our own variables only these go to anybody. */
const KEPT = ["LANG", "LC_ALL", "LC_CTYPE", "TZ"];

export function createLocalPrograms(
  place: Place,
  mark: string,
  given: Readonly<Record<string, string>>,
): LocalPrograms {
  const { groups, release } = dieWithUs(mark);
  let ended = false;

  function variables(env: Readonly<Record<string, string>> = {}): Record<string, string> {
    const kept = KEPT.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    return {
      PATH: process.env["PATH"] ?? PATH,
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
      // Any other directory is simply one of this machine.
      return cwd;
    }
  }

  return {
    variables,
    directory,
    start({ command, env, cwd, user }) {
      if (ended) return notStarted(126, "the environment is destroyed");
      try {
        refuseUser(user);
      } catch (error) {
        return notStarted(126, messageOf(error));
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
      for (const leader of groups) signalGroup(leader, "SIGKILL");
      await killMarked(mark);
      release();
    },
  };
}
