// From a request to a local environment: its directory is made and filled. Whatever fails on the way takes away what was made.
import { symlink } from "node:fs/promises";
import type { Environment } from "../../core/ports/environments.ts";
import { removeTree } from "../../runtime/files/remove-tree.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { beginWith } from "../snapshot/begin-with.ts";
import { applySnapshot } from "./apply-snapshot.ts";
import { copyTree } from "./copy-tree.ts";
import { createEnvironment } from "./environment.ts";
import { makeParents, makePlace } from "./place.ts";
import type { Place } from "./place.ts";
import { refuseImpossible, unavailable } from "./refuse.ts";

export async function openEnvironment(stateDir: string, request: PreparedEnvironment): Promise<Environment> {
  request.signal.throwIfAborted();
  refuseImpossible(request);
  const place = await makePlace(stateDir, request.id, request.workdir);
  try {
    await fill(place, request);
    request.signal.throwIfAborted();
    return await createEnvironment(place, request);
  } catch (error) {
    await removeTree(place.base);
    throw error;
  }
}

/** Puts in place what the environment begins with: a snapshot, mounts, files. */
async function fill(place: Place, request: PreparedEnvironment): Promise<void> {
  const { mounts = [], options, signal } = request;
  const beginning = beginWith(request);
  if (beginning !== undefined) await applySnapshot(place, beginning, signal);
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
