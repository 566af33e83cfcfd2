// The files of /etc that an environment over this machine's own system gets: a copy of what everybody may read here, with users, names
// and addresses of its own.
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { systemAccounts } from "./accounts.ts";
import { isPublic } from "./host-plan.ts";

export interface CopiedFile {
  /** Path relative to the root. */
  path: string;
  mode: number;
  mtime: Date;
  type: "file" | "directory" | "symlink";
  /** The content of a file, or the file of this machine that is copied. */
  content?: string | { source: string; size: number };
  target?: string;
}

export const HOSTNAME = "proctor";
/** Bytes of the largest file of /etc that is copied; larger ones are not settings. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

export async function hostFiles(withNetwork: boolean): Promise<CopiedFile[]> {
  const copied = await copyEtc("etc");
  const [passwd, group, bashrc, profile, resolv] = await Promise.all([
    read("/etc/passwd"),
    read("/etc/group"),
    read("/usr/share/base-files/dot.bashrc"),
    read("/usr/share/base-files/dot.profile"),
    read("/etc/resolv.conf"),
  ]);
  const accounts = systemAccounts(passwd, group);
  return [
    ...copied,
    ...nameFiles(withNetwork ? resolv : ""),
    made("etc/passwd", accounts.passwd),
    made("etc/group", accounts.group),
    made("etc/shadow", accounts.shadow, 0o640),
    made("etc/gshadow", accounts.gshadow, 0o640),
    made("etc/subuid", ""),
    made("etc/subgid", ""),
    { path: "etc/mtab", mode: 0o777, mtime: new Date(0), type: "symlink", target: "/proc/mounts" },
    ...(bashrc === "" ? [] : [made("root/.bashrc", bashrc)]),
    ...(profile === "" ? [] : [made("root/.profile", profile)]),
    // Where there is only one user, a package manager cannot change to another one for its downloads.
    ...(copied.some(({ path }) => path === "etc/apt/apt.conf.d")
      ? [made("etc/apt/apt.conf.d/99-one-user", 'APT::Sandbox::User "root";\n'), ...APT_PARTIAL]
      : []),
  ];
}

/** Download directories of apt. They usually belong to a user of apt's, whose files root cannot write where there is only one user. */
const APT_PARTIAL: readonly CopiedFile[] = [
  "var/cache/apt/archives/partial",
  "var/lib/apt/lists/partial",
].map((path) => ({ path, mode: 0o700, mtime: new Date(0), type: "directory" }));

/** Returns the files that a root needs to resolve `localhost`. */
export function nameFiles(resolv: string): CopiedFile[] {
  return [
    made("etc/hosts", `127.0.0.1\tlocalhost ${HOSTNAME}\n::1\tlocalhost ip6-localhost ip6-loopback\n`),
    made("etc/hostname", `${HOSTNAME}\n`),
    made("etc/resolv.conf", resolv),
    made("etc/machine-id", ""),
  ];
}

export function made(path: string, content: string, mode = 0o644): CopiedFile {
  return { path, mode, mtime: new Date(0), type: "file", content };
}

async function copyEtc(path: string): Promise<CopiedFile[]> {
  const names: string[] = await readdir(join("/", path)).catch(() => []);
  const copies = await Promise.all(names.toSorted().map((name) => copy(`${path}/${name}`)));
  return copies.flat();
}

async function copy(path: string): Promise<CopiedFile[]> {
  const source = join("/", path);
  const stat = await lstat(source).catch(() => undefined);
  if (stat === undefined) return [];
  const one = { path, mode: stat.mode & 0o7777, mtime: stat.mtime };
  const below = path.slice("etc/".length);
  if (stat.isSymbolicLink()) {
    const target = await readlink(source).catch(() => undefined);
    return target !== undefined && isPublic(below, 0o444, false) ? [{ ...one, type: "symlink", target }] : [];
  }
  if (!isPublic(below, stat.mode, stat.isDirectory())) return [];
  if (stat.isDirectory()) return [{ ...one, type: "directory" }, ...(await copyEtc(path))];
  if (!stat.isFile() || stat.size > MAX_FILE_BYTES) return [];
  return [{ ...one, type: "file", content: { source, size: stat.size } }];
}

async function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
