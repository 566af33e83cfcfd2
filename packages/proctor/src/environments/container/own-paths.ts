// Paths of a container that are not the task's: what engines mount or write there, and what we mount.
import { posix } from "node:path";

const ENGINE_PATHS = [
  "/dev",
  "/proc",
  "/sys",
  "/.dockerenv",
  "/etc/hosts",
  "/etc/hostname",
  "/etc/resolv.conf",
  "/etc/mtab",
  "/run/.containerenv",
  "/run/podman-init",
  "/run/secrets",
];

/** Whether a path is left out of changes and snapshots. */
export function ownPaths(mounted: readonly string[]): (path: string) => boolean {
  const own = new Set([
    ...ENGINE_PATHS,
    ...mounted.map((path) => posix.normalize(path).replace(/(?<=.)\/$/, "")),
  ]);
  return (path) => {
    for (let at = path; at !== "/" && at !== "."; at = posix.dirname(at)) if (own.has(at)) return true;
    return false;
  };
}
