// Where a program is installed, as far as that may be shown to whatever runs in an environment: neither a home directory, nor a
// directory that holds everything else as well.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";

/** Directories that are seen in every environment with the machine's own root. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc"];
/** Directories that each hold too much of the machine to be shown. */
const WHOLE = new Set(["/", "/home", "/media", "/mnt", "/root", "/srv", "/tmp", "/Users", "/var", ...SYSTEM]);
/** Directories that belong to the machine itself, with everything below them. */
const OWN = ["/boot", "/dev", "/etc", "/proc", "/run", "/sys"];
/** Stores whose packages need each other. */
const STORES = ["/nix/store", "/gnu/store"];

/** Returns the directories that a program is installed in: `~/.pyenv/versions/3.12.1` for `~/.pyenv/versions/3.12.1/bin/python`. */
export function installPrefix(file: string): string[] {
  const store = STORES.find((path) => isBelow(file, path));
  if (store !== undefined) return [store];
  const folder = dirname(file);
  const above = dirname(folder);
  const isPart = ["bin", "sbin", "shims"].includes(basename(folder));
  if (isPart && isShared(above, folder)) return [folder, join(above, "lib")];
  const prefix = isPart ? above : folder;
  if (!isWhole(prefix)) return [prefix];
  return isWhole(folder) ? [file] : [folder];
}

/**
 * True for `~/.local` or `~/.cargo`, where other programs keep their secrets, too; not for a directory with shims or a virtual
 * environment.
 */
function isShared(prefix: string, folder: string): boolean {
  const hidden = isHome(dirname(prefix)) && basename(prefix).startsWith(".");
  return hidden && basename(folder) !== "shims" && !existsSync(join(prefix, "pyvenv.cfg"));
}

/** Whether showing the path would show files that have nothing to do with an agent. */
export function isWhole(path: string): boolean {
  return WHOLE.has(path) || isHome(path) || isBelow(homedir(), path) || OWN.some((own) => isBelow(path, own));
}

export function isSystem(path: string): boolean {
  return SYSTEM.some((folder) => isBelow(path, folder));
}

/** Whether the path is the folder or lies below it. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function isHome(path: string): boolean {
  return path === homedir() || path === "/root" || /^\/(?:home|Users)\/[^/]+$/.test(path);
}
