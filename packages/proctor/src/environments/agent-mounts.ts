// What an agent's program may see of this machine beside the system's own directories: its workspace, its folder, and where its
// program is installed. Never a whole home directory, and never the hub's own data.
import { realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import type { AgentSpec } from "../core/agent.ts";
import { ProctorError } from "../core/errors.ts";
import type { Mount } from "../core/ports/environments.ts";
import { agentPrograms } from "./agent-programs.ts";
import { installPrefix, isBelow, isSystem, isWhole } from "./install-prefix.ts";
import { mountsAround } from "./mounts-around.ts";

/**
 * Sources are directories or single files, and a mount that lies over another one comes after it. `hidden` are absolute paths of the hub's own data.
 * Throws ENVIRONMENT_UNAVAILABLE where the agent would see too much.
 */
export async function agentMounts(
  spec: AgentSpec,
  workspacePath: string | undefined,
  hidden: readonly string[] = [],
): Promise<Mount[]> {
  const own = await Promise.all(hidden.map((path) => realpath(path).catch(() => path)));
  const seen: Mount[] = [];
  if (spec.cwd !== undefined) {
    const source = await realpath(spec.cwd);
    if (isWhole(source) || own.some((path) => isBelow(source, path)))
      throw tooMuch("the agent's folder", source);
    seen.push({ source, target: spec.cwd });
  }
  for (const place of [...programPlaces(spec), ...(await scriptPlaces(spec))]) {
    const source = await realpath(place).catch(() => undefined);
    if (source === undefined || isWhole(source)) continue;
    seen.push({ source, target: place });
    // A program that asks the system for its own path gets the real one, so that is mounted, too.
    if (source !== place && !isSystem(source)) seen.push({ source, target: source });
  }
  const mounts = (await Promise.all(seen.map((mount) => mountsAround(mount, own)))).flat();
  if (workspacePath !== undefined) {
    const source = await realpath(workspacePath);
    if (isWhole(source) || own.some((path) => isBelow(path, source))) throw tooMuch("the workspace", source);
    mounts.push({ source, target: workspacePath, writable: true });
  }
  return inOrder(mounts);
}

/** Returns the directories for `PATH` that contain an agent's program, without those of the system. */
export function agentPath(spec: AgentSpec): string[] {
  const folders = agentPrograms(spec).map((file) => dirname(file));
  return [...new Set(folders)].filter((folder) => !isSystem(folder));
}

function programPlaces(spec: AgentSpec): string[] {
  return agentPrograms(spec)
    .filter((file) => !isSystem(file))
    .flatMap(installPrefix);
}

/** Resolves with the folders of scripts in the command, as in `python /somewhere/agent.py`, because a script may need its neighbours. */
async function scriptPlaces({ command = [] }: AgentSpec): Promise<string[]> {
  const places: string[] = [];
  for (const word of command.slice(1)) {
    if (!isAbsolute(word) || isSystem(word)) continue;
    const found = await stat(word).catch(() => undefined);
    if (found?.isFile() === true) places.push(isWhole(dirname(word)) ? word : dirname(word));
  }
  return places;
}

function tooMuch(what: string, path: string): ProctorError {
  return new ProctorError(
    "ENVIRONMENT_UNAVAILABLE",
    `${what} is ${path}, and an environment would show what is none of the agent's business\ngive it a folder of its own`,
  );
}

/** Sorts the mounts and leaves out those that a mount above shows already. Of two at the same place, the writable one stays. */
function inOrder(mounts: readonly Mount[]): Mount[] {
  const rank = ({ target, writable }: Mount): string => `${target}\0${writable === true ? 0 : 1}`;
  const kept: Mount[] = [];
  for (const mount of mounts.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))) {
    const above = kept.findLast(({ target }) => isBelow(mount.target, target));
    if (above === undefined || !shows(above, mount)) kept.push(mount);
  }
  return kept;
}

function shows(above: Mount, mount: Mount): boolean {
  if (above.target === mount.target) return true;
  const there = join(above.source, mount.target.slice(above.target.length));
  return there === mount.source && (above.writable ?? false) === (mount.writable ?? false);
}
