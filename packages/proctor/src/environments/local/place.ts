// The directory of a local environment: what is in it, and which of its paths stands for which path of the request.
import { mkdir, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative } from "node:path";
import { ownedName } from "../../runtime/files/owned-names.ts";
import { unavailable } from "./refuse.ts";

export interface Place {
  /** The directory that holds everything that was made for the environment. */
  base: string;
  /** The directory that stands for the request's workdir. */
  work: string;
  tmp: string;
  /** The directory for output that does not fit into memory. */
  spill: string;
  /** Returns the path below `work` for a path inside or on this machine; throws ENVIRONMENT_UNAVAILABLE for any other. */
  real(path: string): string;
  /** Returns the path inside, in terms of the request's workdir, for a path below `work`. */
  asked(path: string): string;
}

/** Makes a place; throws when there is one of that name already. */
export async function makePlace(stateDir: string, id: string, workdir: string): Promise<Place> {
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  // Programs get the real path from the kernel, and report it to us.
  const base = join(await realpath(stateDir), ownedName(id));
  await mkdir(base, { mode: 0o700 });
  const [work, tmp, spill] = [join(base, "work"), join(base, "tmp"), join(base, "output")];
  await Promise.all([work, tmp, spill].map((dir) => mkdir(dir, { mode: 0o755 })));

  const below = (folder: string, path: string): string | undefined => {
    const rest = relative(folder, path);
    return rest === ".." || rest.startsWith("../") || isAbsolute(rest) ? undefined : rest;
  };

  return {
    base,
    work,
    tmp,
    spill,
    real(path) {
      const clean = normalize(path);
      const rest = isAbsolute(clean) ? (below(work, clean) ?? below(workdir, clean)) : undefined;
      if (rest === undefined) {
        throw unavailable(
          `${path} is not below ${workdir}: a local environment has no file system of its own`,
        );
      }
      return join(work, rest);
    },
    asked: (path) => join(workdir, relative(work, path)),
  };
}

/** Makes the directories above a path, and refuses one that a link leads out of the environment. */
export async function makeParents(place: Place, path: string): Promise<void> {
  const parent = dirname(path);
  if (path === place.work) return;
  await stayInside(place, parent);
  await mkdir(parent, { recursive: true });
}

/** Throws unless the real path of the existing part is below the environment's directory. */
export async function stayInside({ work }: Place, path: string): Promise<void> {
  for (let part = path; part.length >= work.length; part = dirname(part)) {
    const real = await realpath(part).catch(() => undefined);
    if (real === undefined) continue;
    if (real !== work && !real.startsWith(`${work}/`))
      throw unavailable(`${path} leads out of the environment, to ${real}`);
    return;
  }
}
