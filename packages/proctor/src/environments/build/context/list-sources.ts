// Which files of the context a COPY means, with everything about them that an image keeps. Nothing outside of the context is looked at.
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { basename, join, posix, sep } from "node:path";
import type { Place } from "../problem.ts";
import { problem } from "../problem.ts";
import type { IgnoreVerdict } from "../../ignore-rules.ts";

export interface Source {
  /** Last part of the source's path. */
  name: string;
  type: "file" | "directory";
  /** Content of a directory with paths relative to it, parents first; or the file itself, with the path "". */
  entries: Entry[];
}

export interface Entry {
  path: string;
  type: "file" | "directory" | "link";
  mode: number;
  sizeBytes: number;
  mtimeMs: number;
  /** The path on this machine; absent for content that stands in the Dockerfile. */
  source?: string;
  content?: string;
  /** Target of a link, as it is written. */
  target?: string;
}

export interface Context {
  /** Absolute path of the context, without links. */
  dir: string;
  /** Says whether .dockerignore leaves a path out. */
  ignore: (path: string) => IgnoreVerdict;
}

export async function listSources(context: Context, pattern: string, at: Place): Promise<Source[]> {
  const clean = posix.normalize(pattern.replace(/^\/+/u, "") || ".").replace(/\/$/u, "");
  if (clean === ".." || clean.startsWith("../")) {
    throw problem(
      at,
      `${pattern} is outside of the context`,
      "copy the file into the directory of the Dockerfile",
    );
  }
  const paths = await expand(context, clean === "." ? [] : clean.split("/"));
  const found = await Promise.all(paths.map((path) => readSource(context, path, at)));
  if (found.length === 0) {
    throw problem(
      at,
      `there is no ${pattern} in the context`,
      "create it, or look into .dockerignore whether it is left out",
    );
  }
  return found;
}

async function expand(context: Context, parts: readonly string[]): Promise<string[]> {
  let paths = [""];
  for (const part of parts) {
    if (!/[*?[\\]/u.test(part)) {
      paths = paths.map((path) => posix.join(path, part));
      continue;
    }
    const pattern = new RegExp(`^${component(part)}$`, "su");
    const lists = await Promise.all(
      paths.map(async (path) => {
        const names = await readdir(join(context.dir, path)).catch(() => []);
        return names.filter((name) => pattern.test(name)).map((name) => posix.join(path, name));
      }),
    );
    paths = lists.flat();
  }
  const there = await Promise.all(
    paths.map(
      async (path) =>
        path === "" || ((await exists(join(context.dir, path))) && context.ignore(path) === "keep"),
    ),
  );
  return paths.filter((_, index) => there[index]).sort();
}

async function readSource(context: Context, path: string, at: Place): Promise<Source> {
  const real = await realpath(join(context.dir, path)).catch(() => undefined);
  if (real === undefined || (real !== context.dir && !real.startsWith(context.dir + sep))) {
    throw problem(at, `${path} leads out of the context`, "replace the link by what it leads to");
  }
  const name = basename(path);
  const entry = await readEntry(real, "", at);
  if (entry.type !== "directory") return { name, type: "file", entries: [entry] };
  const entries: Entry[] = [];
  await walk(context, real, path, "", entries, at);
  return { name, type: "directory", entries };
}

/** Walks a directory. Ignored ones are entered, because a later pattern may take back what is in them. */
async function walk(
  context: Context,
  dir: string,
  inContext: string,
  below: string,
  entries: Entry[],
  at: Place,
): Promise<void> {
  for (const name of (await readdir(join(dir, below))).sort()) {
    const path = posix.join(below, name);
    const entry = await readEntry(join(dir, path), path, at);
    const ignored = context.ignore(posix.join(inContext, path)) !== "keep";
    const place = entries.length;
    if (!ignored) entries.push(entry);
    if (entry.type !== "directory") continue;
    await walk(context, dir, inContext, path, entries, at);
    if (ignored && entries.length > place) entries.splice(place, 0, entry);
  }
}

async function readEntry(source: string, path: string, at: Place): Promise<Entry> {
  const found = await lstat(source);
  const common = { path, mode: found.mode & 0o7777, mtimeMs: found.mtimeMs, source };
  if (found.isFile()) return { ...common, type: "file", sizeBytes: found.size };
  if (found.isDirectory()) return { ...common, type: "directory", sizeBytes: 0 };
  if (found.isSymbolicLink())
    return { ...common, type: "link", sizeBytes: 0, target: await readlink(source) };
  throw problem(
    at,
    `${path || basename(source)} is neither a file, a directory nor a link`,
    "remove it from the context",
  );
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** Returns the regular expression for one component of a path with `*`, `?` and `[...]`. */
function component(part: string): string {
  return part.replaceAll(
    /\\(.)|\*+|\?|\[(\^?)([^\]]+)\]|[.+^${}()|[\]\\]/gu,
    (whole, escaped?: string, not?: string, set?: string) => {
      if (escaped !== undefined) return escaped.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
      if (whole.startsWith("*")) return "[^/]*";
      if (whole === "?") return "[^/]";
      if (set !== undefined) return `[${not ?? ""}${set.replaceAll(/[\\\]]/gu, String.raw`\$&`)}]`;
      return `\\${whole}`;
    },
  );
}
