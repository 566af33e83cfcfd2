// The directory of one environment on this machine: where its file systems are mounted, in its own name space only, and the short names
// of what they are made of. Short, because the kernel takes one page of names; and an environment sees them, so they tell nothing.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Mount } from "../../core/ports/environments.ts";
import { ProctorError } from "../../core/errors.ts";

export interface RootPlan {
  /** Lower directories, the topmost first. */
  lower: readonly string[];
  /** The lower directory that contains others, such as `/`, which contains our own files; it is seen through a mount of its own. */
  outermost?: string;
  /** Directories of this machine that are visible inside, below what layers have there. */
  shown: readonly string[];
  upper?: string;
  /** A directory with the devices that every program has; where there is none, each makes its own. */
  devices?: string;
  /** Options of the file system in memory. */
  memoryOptions: string;
  /** True when /tmp is a separate file system, because the rest is read-only. */
  ownTmp: boolean;
  /** True when overlayfs uses extended attributes of users instead of root's. */
  userAttributes: boolean;
}

export interface EnvironmentDir {
  readonly path: string;
  /** The directory within `path` that holds what is written, as the keeper sees it. */
  readonly upper: string;
  /** The path at which the root without what is written is mounted for comparison, as the keeper sees it. */
  readonly base: string;
  /** Notes the groups in the directory, so that a sweep that finds only the directory finds them, too. */
  rememberGroups(groups: readonly string[]): void;
  remove(): Promise<void>;
}

/** Directories of the file system in memory: u(pper), w(ork), e(mpty), s(hared memory), x: /tmp of a read-only environment. */
const MEMORY = { u: "0755", w: "0755", e: "0755", s: "1777", x: "1777" };

export function makeEnvironmentDir(path: string, plan: RootPlan): EnvironmentDir {
  const { lower, outermost, shown, upper, devices, memoryOptions, ownTmp, userAttributes } = plan;
  const outside = upper === undefined ? undefined : workBeside(path, upper);
  try {
    mkdirSync(path, { mode: 0o700 });
    for (const name of ["t", "q", "m", "b", "c"]) mkdirSync(join(path, name));
    for (const [index, layer] of lower.entries())
      if (layer !== outermost) symlinkSync(layer, join(path, String(index)));
    if (outermost !== undefined) symlinkSync(outermost, join(path, "h"));
    if (devices !== undefined) symlinkSync(devices, join(path, "d"));
    if (upper !== undefined && outside !== undefined) {
      mkdirSync(outside);
      symlinkSync(upper, join(path, "u"));
      symlinkSync(outside, join(path, "w"));
    }
    const names = lower.map((layer, index) => (layer === outermost ? "b" : String(index))).join(":");
    const rules = userAttributes ? "userxattr" : "redirect_dir=nofollow,metacopy=off,index=off";
    const written = upper === undefined ? "upperdir=q/u,workdir=q/w" : "upperdir=u,workdir=w";
    const fstab = [
      `proctor t tmpfs nodev,nosuid,${memoryOptions}`,
      // Mounting creates the directory, which saves a program; what is created is then seen through the other mount.
      "t q none bind",
      ...Object.entries(MEMORY).map(([name, mode]) => `t t/${name} none bind,X-mount.mkdir=${mode}`),
      ...(outermost === undefined
        ? []
        : [`proctor b overlay ro,lowerdir=q/e:h${userAttributes ? ",userxattr" : ""}`]),
      `proctor m overlay nodev,nosuid,lowerdir=${names},${written},${rules}`,
      `proctor c overlay ro,lowerdir=${names.includes(":") ? names : `q/e:${names}`},${rules}`,
      ...(devices === undefined
        ? []
        : [
            "d m/dev none bind,ro,nosuid",
            "proctor m/dev/pts devpts nosuid,noexec,newinstance,ptmxmode=0666,mode=620",
            "q/s m/dev/shm none bind",
          ]),
      ...(ownTmp ? ["q/x m/tmp none bind"] : []),
      ...shown.map((place, index) => {
        symlinkSync(place, join(path, `k${index}`));
        const over = lower.flatMap((layer, at) => (existsSync(join(layer, place)) ? [`${at}${place}`] : []));
        // The last layer contains nothing but the mount point.
        if (over.length < 2) return `k${index} m${place} none rbind,ro`;
        return `proctor m${place} overlay ro,nodev,nosuid,lowerdir=${over.join(":")}:k${index},userxattr`;
      }),
    ];
    writeFileSync(join(path, "fstab"), lines(fstab));
    return {
      path,
      upper: upper === undefined ? "q/u" : "u",
      base: "c",
      rememberGroups(groups) {
        for (const [index, group] of groups.entries()) symlinkSync(group, join(path, `g${index}`));
      },
      async remove() {
        await rm(path, { recursive: true, force: true });
        if (outside !== undefined) await rm(outside, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the groups of an environment that another process left behind. */
export function rememberedGroups(path: string): string[] {
  const names = readdirSync(path).filter((name) => /^g\d+$/.test(name));
  return names.map((name) => readlinkSync(join(path, name)));
}

/** Throws where a mount point is a link in one of the layers, because it would lead to this machine's own files. */
export function refuseLinks(layers: readonly string[], ownTmp: boolean): void {
  const places = ["dev", "proc", ...(ownTmp ? ["tmp"] : [])];
  for (const path of layers.flatMap((layer) => places.map((name) => join(layer, name)))) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw new ProctorError("ENVIRONMENT_UNAVAILABLE", `${path} is a link, and has to be a directory`);
    }
  }
}

/** Returns a directory on the file system of `upper`, as overlayfs requires. */
function workBeside(path: string, upper: string): string {
  const here = statSync(join(path, "..")).dev === statSync(upper).dev;
  return here ? join(path, "work") : `${upper}.work`;
}

/** Makes the mount points in a root that nothing runs in yet, and returns the list that mounts them. */
export function planMounts(dir: string, root: string, mounts: readonly Mount[]): void {
  const fstab = mounts.map(({ source, target, writable }, index) => {
    const stat = statSync(source, { throwIfNoEntry: false });
    if (stat === undefined)
      throw new ProctorError("ENVIRONMENT_UNAVAILABLE", `there is nothing to mount at ${source}`);
    if (!makePlace(root, target, stat.isDirectory())) {
      throw new ProctorError(
        "ENVIRONMENT_UNAVAILABLE",
        `nothing can be mounted on ${target}: a link or a file is in the way`,
      );
    }
    symlinkSync(source, join(dir, `s${index}`));
    return `s${index} ${escapeField(`m${target}`)} none bind,nodev,nosuid,${writable === true ? "rw" : "ro"}`;
  });
  writeFileSync(join(dir, "fstab.more"), lines(fstab));
}

/**
 * Makes a directory, or an empty file, below a root that nothing runs in. False when something else is in the way; a link is never
 * followed, since it would lead to this machine's own files.
 */
export function makePlace(root: string, target: string, directory = true): boolean {
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return false;
  let path = root;
  for (const [index, part] of parts.entries()) {
    path = `${path}/${part}`;
    const wanted = directory || index < parts.length - 1;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined && wanted) mkdirSync(path, { mode: 0o755 });
    else if (stat === undefined) writeFileSync(path, "");
    else if (wanted ? !stat.isDirectory() : !stat.isFile()) return false;
  }
  return true;
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line} 0 0\n`).join("");
}

function escapeField(text: string): string {
  return text.replaceAll(
    /[\s\\#]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
}
