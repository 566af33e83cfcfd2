// The two directories that lie over this machine's own root: `mask` hides what is not for environments, `files` stands above it. Made
// once for what they hold, and used by all.
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { constants, createReadStream, existsSync, readdirSync } from "node:fs";
import { access, lstat, mkdir, open, readlink, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Header, Pack } from "tar-stream";
import { hostFiles, made, nameFiles, type CopiedFile } from "./host-files.ts";
import { KEPT_TOP, LISTED, planHost, type HostPlan, type Listing } from "./host-plan.ts";
import { TOOL_ENV, type Machine } from "./machine.ts";
import { findPrivate } from "./find-private.ts";

export interface HostLayers {
  /** Resolves with the lower directories for the system's own root, the topmost first, and the directories that are shown unchanged. */
  overHost(withNetwork: boolean): Promise<{ lower: string[]; shown: string[] }>;
  /** Resolves with the layer below a given root, which is seen where the root has no such file. */
  underRoot(withNetwork: boolean): Promise<string>;
  /** Resolves with the directory of every program's devices; undefined where they cannot be made beforehand. */
  devices(): Promise<string | undefined>;
}

export function createHostLayers(dir: string, machine: Machine, stateDir: string): HostLayers {
  const building = new Map<string, Promise<string>>();
  let looking: Promise<string[]> | undefined;
  let devices: Promise<string | undefined> | undefined;
  let latest: { key: string; layers: ReturnType<HostLayers["overHost"]> } | undefined;
  const files = new Map<boolean, Promise<CopiedFile[]>>();

  /** Resolves with a directory, the same for the same content, even in another process. */
  function layer(name: string, members: readonly Member[]): Promise<string> {
    const key = createHash("sha256").update(JSON.stringify(members)).digest("hex").slice(0, 24);
    const path = join(dir, `${name}-${key}`);
    let built = building.get(path);
    if (built === undefined) {
      built = buildLayer(machine, path, members);
      building.set(path, built);
      built.catch(() => building.delete(path));
    }
    return built;
  }

  function filesFor(withNetwork: boolean): Promise<CopiedFile[]> {
    const known = files.get(withNetwork) ?? hostFiles(withNetwork);
    files.set(withNetwork, known);
    return known;
  }

  async function makeOver(seen: Listing, withNetwork: boolean): ReturnType<HostLayers["overHost"]> {
    const own = (await filesFor(withNetwork)).map(member);
    if (!machine.root) return showOnly(seen["/"], own);
    looking ??= findPrivate(machine);
    const plan = planHost(seen, [stateDir, ...(await looking)]);
    const lower = await Promise.all([
      layer("files", [...directories(plan), ...own]),
      layer("mask", await masked(plan)),
    ]);
    return { lower: [...lower, "/"], shown: [] };
  }

  /** Makes the layers for an ordinary user, who can neither overlay the root nor change its files: the system is shown, the rest is made. */
  async function showOnly(
    names: readonly string[],
    own: readonly Member[],
  ): ReturnType<HostLayers["overHost"]> {
    const { kept, links } = await keptTop(names);
    const shown = [...kept, ...(existsSync("/var/lib/dpkg") ? ["/var/lib/dpkg"] : [])];
    const places = shown.map((path) => directory(path.slice(1), 0o755));
    const all = [...directories(planHost(listing(), [])), ...places, ...links, ...own];
    return { lower: [await layer("files", all)], shown };
  }

  return {
    overHost(withNetwork) {
      const seen = listing();
      const key = JSON.stringify([withNetwork, seen]);
      if (latest?.key !== key) latest = { key, layers: makeOver(seen, withNetwork) };
      // The next call tries again, because a file may have changed while it was copied.
      latest.layers.catch(() => {
        latest = undefined;
        files.clear();
      });
      return latest.layers;
    },
    devices: () =>
      (devices ??= machine.root ? layer("devices", DEVICES).then(usable) : Promise.resolve(undefined)),
    underRoot: (withNetwork) =>
      filesFor(withNetwork).then((all) => {
        const resolv = all.find(({ path }) => path === "etc/resolv.conf")?.content;
        const names = nameFiles(typeof resolv === "string" ? resolv : "");
        const accounts = made("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n");
        return layer("below", [
          ...["app", "dev", "etc", "proc", "run", "sys"].map((path) => directory(path, 0o755)),
          directory("root", 0o700),
          directory("tmp", 0o1777),
          ...[...names, accounts, made("etc/group", "root:x:0:\n")].map(member),
        ]);
      }),
  };
}

type Member = Pick<Header, "name"> & Partial<Header> & { from?: string; text?: string };

function directory(name: string, mode: number): Member {
  return { name, type: "directory", mode, mtime: new Date(0) };
}

function directories({ directories: all }: HostPlan): Member[] {
  return all.map(({ path, mode }) => directory(path, mode));
}

function member({ path: name, mode, mtime, type, content, target }: CopiedFile): Member {
  const header = { name, mode, mtime, type };
  if (target !== undefined) return { ...header, linkname: target };
  if (content === undefined) return header;
  if (typeof content === "string") return { ...header, size: Buffer.byteLength(content), text: content };
  return { ...header, size: content.size, from: content.source };
}

/** The devices that bubblewrap makes. */
const DEVICES: readonly Member[] = [
  ...(["null 1 3", "zero 1 5", "full 1 7", "random 1 8", "urandom 1 9", "tty 5 0"] as const).map(
    (words): Member => {
      const [name = "", devmajor, devminor] = words.split(" ");
      return {
        name,
        type: "character-device",
        mode: 0o666,
        devmajor: Number(devmajor),
        devminor: Number(devminor),
        mtime: new Date(0),
      };
    },
  ),
  ...Object.entries({
    core: "/proc/kcore",
    fd: "/proc/self/fd",
    ptmx: "pts/ptmx",
    stderr: "/proc/self/fd/2",
    stdin: "/proc/self/fd/0",
    stdout: "/proc/self/fd/1",
  }).map(([name, linkname]): Member => ({
    name,
    type: "symlink",
    mode: 0o777,
    linkname,
    mtime: new Date(0),
  })),
  directory("pts", 0o755),
  directory("shm", 0o755),
];

/** Resolves with the directory if its devices work; its file system may be mounted without devices. */
async function usable(dir: string): Promise<string | undefined> {
  return access(join(dir, "null"), constants.R_OK | constants.W_OK)
    .then(() => open(join(dir, "null"), "r+"))
    .then(async (file) => {
      await file.close();
      return dir;
    })
    .catch(() => undefined);
}

/** Resolves with whiteouts of overlayfs (character devices 0/0) for hidden paths. Directories above them look as they do here. */
async function masked({ hidden }: HostPlan): Promise<Member[]> {
  const parents = new Set(
    hidden.flatMap((path) => path.split("/").map((_, index, parts) => parts.slice(0, index).join("/"))),
  );
  parents.delete("");
  const above: Member[] = [];
  const missing = new Set<string>();
  for (const name of [...parents].toSorted()) {
    const stat = await lstat(join("/", name)).catch(() => undefined);
    if (stat?.isDirectory() !== true) missing.add(name);
    else
      above.push({
        name,
        type: "directory",
        mode: stat.mode & 0o7777,
        uid: stat.uid,
        gid: stat.gid,
        mtime: stat.mtime,
      });
  }
  const there = hidden.filter((path) => !missing.has(dirname(path)));
  return [
    ...above,
    ...there.map((name): Member => ({
      name,
      type: "character-device",
      devmajor: 0,
      devminor: 0,
      mode: 0,
      mtime: new Date(0),
    })),
  ];
}

/** Resolves with the directories of `/` that are shown, and the links among them. */
async function keptTop(names: readonly string[]): Promise<{ kept: string[]; links: Member[] }> {
  const kept: string[] = [];
  const links: Member[] = [];
  for (const name of names.filter((one) => KEPT_TOP.has(one) && one !== "var")) {
    const path = join("/", name);
    const stat = await lstat(path);
    if (stat.isDirectory()) kept.push(path);
    else if (stat.isSymbolicLink())
      links.push({ name, type: "symlink", mode: 0o777, linkname: await readlink(path), mtime: new Date(0) });
  }
  return { kept, links };
}

function listing(): Listing {
  return Object.fromEntries(LISTED.map((path) => [path, list(path)])) as Record<keyof Listing, string[]>;
}

function list(path: string): string[] {
  try {
    return readdirSync(path).toSorted();
  } catch {
    return [];
  }
}

async function buildLayer(machine: Machine, path: string, members: readonly Member[]): Promise<string> {
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  )
    return path;
  const draft = `${path}.${randomUUID()}`;
  await mkdir(draft, { recursive: true, mode: 0o755 });
  try {
    await unpack(machine, draft, members);
    // Another process may have been faster; its layer holds the same.
    await rename(draft, path).catch((error: unknown) => access(path).catch(() => Promise.reject(error)));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return path;
}

async function unpack({ tools, root }: Machine, dir: string, members: readonly Member[]): Promise<void> {
  const { pack } = await import("tar-stream");
  const archive = pack();
  const owner = root ? ["--same-owner", "--numeric-owner"] : ["--no-same-owner"];
  const tar = spawn(tools.tar, ["-x", "-p", ...owner, "-f", "-", "-C", dir], {
    env: TOOL_ENV,
    stdio: ["pipe", "ignore", "pipe"],
  });
  let said = "";
  tar.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-2000)));
  const ended = new Promise<void>((resolve, reject) => {
    tar.once("error", reject);
    tar.once("close", (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`the view of this machine could not be made: ${said.trim()}`)),
    );
  });
  await Promise.all([ended, pipeline(archive, tar.stdin), write(archive, members)]);
}

async function write(archive: Pack, members: readonly Member[]): Promise<void> {
  for (const { from, text, ...header } of members) {
    await new Promise<void>((resolve, reject) => {
      const sink = archive.entry(header, (error) => (error ? reject(error) : resolve()));
      if (header.type !== "file") return;
      if (from === undefined || header.size === 0) sink.end(text ?? "");
      else
        createReadStream(from, { end: (header.size ?? 0) - 1 })
          .on("error", reject)
          .pipe(sink);
    });
  }
  archive.finalize();
}
