// Where a program is installed, as far as that may be shown to whatever runs in an environment: neither somebody's home, nor a
// directory in which everything else lies as well.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";

/** Seen in every environment that has the machine's own root. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc"];
/** Too much of the machine is in each of these. */
const WHOLE = new Set(["/", "/home", "/media", "/mnt", "/root", "/srv", "/tmp", "/Users", "/var", ...SYSTEM]);
/** These and what is below them are the machine's own. */
const OWN = ["/boot", "/dev", "/etc", "/proc", "/run", "/sys"];
/** Packages in these need each other. */
const STORES = ["/nix/store", "/gnu/store"];

/** `~/.pyenv/versions/3.12.1` of `~/.pyenv/versions/3.12.1/bin/python`. */
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

/** `~/.local`, `~/.cargo`: others keep their secrets in there, too. What has shims, or is an environment of Python's, is one thing. */
function isShared(prefix: string, folder: string): boolean {
  const hidden = isHome(dirname(prefix)) && basename(prefix).startsWith(".");
  return hidden && basename(folder) !== "shims" && !existsSync(join(prefix, "pyvenv.cfg"));
}

/** Showing it would show what has nothing to do with an agent. */
export function isWhole(path: string): boolean {
  return WHOLE.has(path) || isHome(path) || isBelow(homedir(), path) || OWN.some((own) => isBelow(path, own));
}

export function isSystem(path: string): boolean {
  return SYSTEM.some((folder) => isBelow(path, folder));
}

/** Or the same. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

function isHome(path: string): boolean {
  return path === homedir() || path === "/root" || /^\/(?:home|Users)\/[^/]+$/.test(path);
}
