// One open container as an environment: programs, shells and terminals by exec, files through the engine, and nothing left in the end.
import type Docker from "dockerode";
import type { EnvironmentFacts } from "../../core/environment.ts";
import type { Environment, StartOptions } from "../../core/ports/environments.ts";
import { runToEnd } from "../../runtime/processes/run-to-end.ts";
import { openShell } from "../shell/open-shell.ts";
import type { Files } from "./engine-files.ts";
import { startPty } from "./exec-pty.ts";
import { startExec, type ExecPlace } from "./programs.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import type { ChangeTracker } from "./track-changes.ts";

interface EnvironmentDeps {
  container: Docker.Container;
  facts: EnvironmentFacts;
  /** Variables that are added to the container's own and name the proxy. */
  env: Readonly<Record<string, string>>;
  place: ExecPlace;
  files: (start: Environment["start"]) => Files;
  /** Lists changes since the environment was complete. */
  tracker: ChangeTracker;
  isOwn: (path: string) => boolean;
  /** A directory of this machine for output that is too long for memory. */
  spillDir: string;
  remove: () => Promise<void>;
}

export function createEnvironment(deps: EnvironmentDeps): Environment {
  const { container, facts, env, place, files, tracker, isOwn, spillDir, remove } = deps;
  const { workdir } = facts;
  const wholeBytes =
    facts.limits.output_mb === undefined ? {} : { wholeBytes: facts.limits.output_mb * 1024 * 1024 };
  const start = (options: StartOptions) => startExec(place, { ...options, env: { ...env, ...options.env } });
  const thrown = new Set<string>();
  let destroying: Promise<void> | undefined;

  return {
    facts,
    workdir,
    start,
    run: (request) => runToEnd(start, request),
    openShell: (options = {}) => openShell(start, { ...wholeBytes, ...options, workdir, spillDir }),
    openPty: (options = {}) => startPty(place, { ...options, env: { ...env, ...options.env } }),
    ...files(start),
    changes: () => tracker.changes(),
    snapshot: (options) => takeSnapshot({ container, start, isOwn }, options),
    async destroy() {
      destroying ??= remove();
      try {
        await destroying;
      } catch (error) {
        // The next call tries again; each reason is thrown once.
        destroying = undefined;
        const reason = String(error);
        if (thrown.has(reason)) return;
        thrown.add(reason);
        throw error;
      }
    },
  };
}
