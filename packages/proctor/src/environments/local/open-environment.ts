// One local environment, from its directory to its end.
import { symlink } from "node:fs/promises";
import { DEFAULT_LIMITS, type EnvironmentFacts } from "../../core/environment.ts";
import type { Environment, Pty } from "../../core/ports/environments.ts";
import { runToEnd } from "../../runtime/processes/run-to-end.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { openPty } from "../pty/open-pty.ts";
import { openShell } from "../shell/open-shell.ts";
import { copyOut } from "./copy-out.ts";
import { copyTree } from "./copy-tree.ts";
import { createLocalPrograms } from "./programs.ts";
import { changesSince, takeManifest } from "./track-changes.ts";
import { makeParents, makePlace, stayInside } from "./place.ts";
import type { Place } from "./place.ts";
import { userName } from "./probe.ts";
import { refuseUnlessLocal, unavailable } from "./refuse.ts";
import { beginWith } from "../snapshot/begin-with.ts";
import { SYSTEM_AS_LEFT } from "../system/as-left.ts";
import { removeTree } from "../../runtime/files/remove-tree.ts";
import { restoreLocal } from "./apply-snapshot.ts";
import { snapshotLocal } from "./take-snapshot.ts";

const LOGIN_SHELL = ["bash", "--login"];

export async function openLocal(stateDir: string, request: PreparedEnvironment): Promise<Environment> {
  request.signal.throwIfAborted();
  refuseUnlessLocal(request);
  const place = await makePlace(stateDir, request.id, request.workdir);
  try {
    await fill(place, request);
    request.signal.throwIfAborted();
    return await assemble(place, request);
  } catch (error) {
    await removeTree(place.base);
    throw error;
  }
}

/** What it begins with: mounts, what was before, files. */
async function fill(place: Place, request: PreparedEnvironment): Promise<void> {
  const { mounts = [], options, signal } = request;
  const beginning = beginWith(request);
  if (beginning !== undefined) await restoreLocal(place, beginning, signal);
  for (const { source, target } of mounts) {
    signal.throwIfAborted();
    if (source === target) continue;
    const path = place.real(target);
    if (path === place.work)
      throw unavailable(`${target} cannot be mounted: it is where the environment itself is`);
    await makeParents(place, path);
    await symlink(source, path);
  }
  for (const { source, target } of options.files ?? []) {
    signal.throwIfAborted();
    const path = place.real(target);
    await makeParents(place, path);
    await copyTree(source, path, signal);
  }
}

async function assemble(place: Place, request: PreparedEnvironment): Promise<Environment> {
  const before = await takeManifest(place.work);
  request.signal.throwIfAborted();
  const programs = createLocalPrograms(place, request.env);
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
    async copyIn(source, target) {
      const path = place.real(target);
      await makeParents(place, path);
      await copyTree(source, path);
    },
    async copyOut(source, target, limits) {
      const path = place.real(source);
      await stayInside(place, path);
      return copyOut(path, target, limits);
    },
    changes: () => changesSince(before, place.work),
    snapshot: (options) => snapshotLocal(place, options),
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
