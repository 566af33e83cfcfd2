// One open local environment: programs, shells and terminals in a directory of this machine.
import { DEFAULT_LIMITS, type EnvironmentFacts } from "../../core/environment.ts";
import type { Environment, Pty } from "../../core/ports/environments.ts";
import { removeTree } from "../../runtime/files/remove-tree.ts";
import { runToEnd } from "../../runtime/processes/run-to-end.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { openPty } from "../pty/open-pty.ts";
import { openShell } from "../shell/open-shell.ts";
import { SYSTEM_AS_LEFT } from "../system/as-left.ts";
import { insideFiles } from "./inside-files.ts";
import type { Place } from "./place.ts";
import { userName } from "./probe.ts";
import { createPrograms } from "./programs.ts";
import { unavailable } from "./refuse.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import { changesSince, takeManifest } from "./track-changes.ts";

const LOGIN_SHELL = ["bash", "--login"];

export async function createEnvironment(place: Place, request: PreparedEnvironment): Promise<Environment> {
  const before = await takeManifest(place.work);
  request.signal.throwIfAborted();
  const programs = createPrograms(place, request.env);
  const { start } = programs;
  const outputMb = request.options.limits?.output_mb ?? DEFAULT_LIMITS.output_mb;
  const terminals = new Set<Pty>();
  let destroyed: Promise<void> | undefined;

  return {
    facts: factsOf(place, request),
    workdir: place.work,
    start,
    run: (command) => runToEnd(start, command),
    openShell: ({ cwd, ...options } = {}) =>
      openShell(start, {
        wholeBytes: outputMb * 1024 * 1024,
        ...options,
        ...(cwd === undefined ? {} : { cwd: programs.directory(cwd) }),
        workdir: place.work,
        spillDir: place.spill,
      }),
    async openPty(options = {}) {
      const { command = LOGIN_SHELL, env, cwd } = options;
      const pty = await openPty(
        { command, env: programs.variables(env), cwd: programs.directory(cwd) },
        options,
      );
      if (destroyed !== undefined) {
        await pty.close();
        throw unavailable("the environment is destroyed", "open another one");
      }
      terminals.add(pty);
      void pty.exited.then(() => terminals.delete(pty));
      return pty;
    },
    ...insideFiles(place),
    changes: () => changesSince(before, place.work),
    snapshot: (options) => takeSnapshot(place, options),
    destroy: () =>
      (destroyed ??= (async () => {
        await programs.end();
        await Promise.all([...terminals].map((pty) => pty.close()));
        await removeTree(place.base);
      })()),
  };
}

function factsOf(place: Place, request: PreparedEnvironment): EnvironmentFacts {
  const limits = request.options.limits ?? {};
  const notes = [`not isolated: commands run on this machine as ${userName()}`, ...request.notes];
  if (place.work !== request.workdir) notes.push(`${place.work} stands for ${request.workdir}`);
  if (request.restoreSystem === true) notes.push(SYSTEM_AS_LEFT);
  if (request.readOnly === true) notes.push("nothing is kept from being written");
  return {
    kind: "local",
    isolated: false,
    role: request.role,
    profile: "strict",
    root: "host",
    workdir: place.work,
    network: "host",
    limits,
    enforced: limits.output_mb === undefined ? [] : ["output_mb"],
    notes,
  };
}
