// Which directories of this machine's Pythons are seen inside, and under which names.
import { homedir } from "node:os";
import { dirname, relative } from "node:path";
import type { Mount } from "../../core/ports/environments.ts";
import type { Distribution, MachinePython } from "./find-pythons.ts";
import { INSIDE_PYTHONS } from "./inside.ts";

export interface PythonMounts {
  mounts: Mount[];
  /** The path inside at which a distribution's directory is seen; undefined when it is not mounted. */
  siteInside: (dist: Distribution) => string | undefined;
}

/** Distributions that come with every Python. */
const TRIVIAL = new Set(["pip", "setuptools", "wheel"]);

export function pythonMounts(pythons: readonly MachinePython[]): PythonMounts {
  const mounts: Mount[] = [];
  for (const python of pythons) {
    const source = mountable(python);
    if (source === undefined || mounts.some((mount) => mount.source === source)) continue;
    mounts.push({ source, target: `${INSIDE_PYTHONS}-${python.minor.join(".")}-${mounts.length}` });
  }
  return {
    mounts,
    siteInside({ site }) {
      for (const { source, target } of mounts) {
        if (site === source) return target;
        if (site.startsWith(`${source}/`)) return `${target}/${relative(source, site)}`;
      }
      return undefined;
    },
  };
}

/** Returns a whole Python, or the packages of a virtual environment; nothing below /usr, which is in the root, or useless in another one. */
function mountable({ prefix, basePrefix, dists }: MachinePython): string | undefined {
  const own = dists.filter((dist) => !TRIVIAL.has(dist.name) && dist.site.startsWith(`${prefix}/`));
  if (own.length === 0) return undefined;
  const source = prefix === basePrefix ? prefix : own[0]?.site;
  return source !== undefined && harmless(source) ? source : undefined;
}

/** Whether a path may be mounted: never the whole file system, system directories, or a user's home. */
function harmless(path: string): boolean {
  if (path === "/" || path === "/usr" || path.startsWith("/usr/")) return false;
  const home = homedir();
  return path !== home && !home.startsWith(`${path}/`) && dirname(path) !== "/";
}
