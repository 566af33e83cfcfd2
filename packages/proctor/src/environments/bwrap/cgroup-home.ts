// Where on this machine groups of processes can be made that have limits: below our own group where the controllers are separate
// (version 1), beside it where they are one tree (version 2), so that whatever holds us holds our environments, too.
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";

export type Controller = "memory" | "pids" | "cpu";

/** Directories in which groups can be made, by controller. Controllers of version 2 share one. */
export type CgroupHome = Partial<Record<Controller, { version: 1 | 2; dir: string }>>;

interface CgroupFiles {
  /** Content of /proc/self/mountinfo. */
  mounts: string;
  /** Content of /proc/self/cgroup. */
  own: string;
}

const CONTROLLERS: readonly Controller[] = ["memory", "pids", "cpu"];

export function findCgroups(files: CgroupFiles | undefined = readFiles()): CgroupHome {
  if (files === undefined) return {};
  const home: CgroupHome = {};
  const unified = findUnified(files);
  for (const controller of CONTROLLERS) {
    const separate = findSeparate(files, controller);
    if (separate !== undefined) home[controller] = { version: 1, dir: separate };
    else if (unified?.controllers.includes(controller) === true)
      home[controller] = { version: 2, dir: unified.dir };
  }
  return home;
}

function readFiles(): CgroupFiles | undefined {
  try {
    return {
      mounts: readFileSync("/proc/self/mountinfo", "utf8"),
      own: readFileSync("/proc/self/cgroup", "utf8"),
    };
  } catch {
    return undefined;
  }
}

interface Mounted {
  /** The group that is the root of the mount. */
  root: string;
  point: string;
  type: string;
  options: string[];
}

function mounted(text: string): Mounted[] {
  return text.split("\n").flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ");
    const [, , , root, point] = before.split(" ");
    const [type, , options] = after.split(" ");
    if (root === undefined || point === undefined || type === undefined) return [];
    return [
      { root, point: point.replaceAll(/\\(\d{3})/g, unescape), type, options: (options ?? "").split(",") },
    ];
  });
}

function unescape(_all: string, octal: string): string {
  return String.fromCharCode(Number.parseInt(octal, 8));
}

/** Returns the directory of this process's own group in a hierarchy. */
function ownDir({ root, point }: Mounted, path: string): string | undefined {
  if (root === "/" || root === path) return root === path ? point : join(point, path);
  return path.startsWith(`${root}/`) ? join(point, path.slice(root.length)) : undefined;
}

function findSeparate({ mounts, own }: CgroupFiles, controller: Controller): string | undefined {
  const mount = mounted(mounts).find(
    ({ type, options }) => type === "cgroup" && options.includes(controller),
  );
  const path = own
    .split("\n")
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
    .find((found) => found?.[1]?.split(",").includes(controller))?.[2];
  if (mount === undefined || path === undefined) return undefined;
  const dir = ownDir(mount, path);
  return dir !== undefined && canMakeGroup(dir) ? dir : undefined;
}

/** Returns the nearest group above this process that delegates its controllers and allows creating a group in it. */
function findUnified({ mounts, own }: CgroupFiles): { dir: string; controllers: string[] } | undefined {
  const mount = mounted(mounts).find(({ type }) => type === "cgroup2");
  const path = /^0::(.*)$/m.exec(own)?.[1];
  if (mount === undefined || path === undefined) return undefined;
  for (let dir = ownDir(mount, path); dir?.startsWith(mount.point) === true; dir = dirname(dir)) {
    const controllers = readWords(join(dir, "cgroup.subtree_control"));
    if (controllers.some((name) => CONTROLLERS.some((wanted) => wanted === name)) && canMakeGroup(dir))
      return { dir, controllers };
    if (dir === mount.point) return undefined;
  }
  return undefined;
}

function readWords(path: string): string[] {
  try {
    return readFileSync(path, "utf8").trim().split(/\s+/);
  } catch {
    return [];
  }
}

function canMakeGroup(dir: string): boolean {
  const trial = join(dir, `proctor-trial-${process.pid}`);
  try {
    mkdirSync(trial);
    rmdirSync(trial);
    return true;
  } catch {
    return false;
  }
}
