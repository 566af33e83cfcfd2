// Whether a task gives itself away: files of its tests or its solution that an agent finds in its environment, or text of the solution
// in the instruction.
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { TerminalTask } from "./terminal-task.ts";

export interface Leak {
  /** Path relative to the task's directory. */
  path: string;
  message: string;
}

/** Bytes below which a file proves nothing, such as an empty one or a licence of one line. */
const MIN_BYTES = 40;
const MAX_BYTES = 8 * 1024 * 1024;
/** Characters from which a line of the solution in the instruction is no coincidence. */
const MIN_LINE = 30;
/** Files of a Terminal-Bench task that are not copied into its environment. */
const OUTSIDE = new Set([
  "tests",
  "solution",
  "solution.sh",
  "run-tests.sh",
  "task.yaml",
  "task.toml",
  "instruction.md",
  "docker-compose.yaml",
  "Dockerfile",
]);

export async function findLeaks(task: TerminalTask): Promise<Leak[]> {
  const context = task.environment.build;
  const given =
    context === undefined
      ? []
      : await filesIn(context, task.format === "terminal-bench" ? OUTSIDE : new Set());
  const secret = await Promise.all([
    ...task.verifier.files.map(({ source }) => filesIn(source)),
    ...(task.solution?.files ?? []).map(({ source }) => filesIn(source)),
  ]);
  const known = new Map(given.map(({ hash, path }) => [hash, path]));
  const leaks = secret.flat().flatMap(({ hash, path }) => {
    const twin = known.get(hash);
    return twin === undefined
      ? []
      : [{ path: relative(task.dir, twin), message: `the environment holds ${relative(task.dir, path)}` }];
  });
  return [...leaks, ...(await findLeakedSolution(task))];
}

async function findLeakedSolution({ solution, instruction, dir }: TerminalTask): Promise<Leak[]> {
  for (const { source } of solution?.files ?? []) {
    for (const { path } of await filesIn(source)) {
      const lines = (await readFile(path, "utf8")).split("\n").map((line) => line.trim());
      const told = lines.find(
        (line) => line.length >= MIN_LINE && !line.startsWith("#") && instruction.includes(line),
      );
      if (told !== undefined) {
        return [
          {
            path: "instruction.md",
            message: `the instruction holds a line of ${relative(dir, path)}: ${told.slice(0, 80)}`,
          },
        ];
      }
    }
  }
  return [];
}

interface HashedFile {
  path: string;
  hash: string;
}

async function filesIn(path: string, except: ReadonlySet<string> = new Set()): Promise<HashedFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return [];
  const paths = found.isFile() ? [path] : await listed(path, except);
  const hashed = await Promise.all(paths.map(hashOf));
  return hashed.filter((file) => file !== undefined);
}

async function listed(folder: string, except: ReadonlySet<string>): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !except.has(relative(folder, path).split("/")[0] ?? ""));
}

async function hashOf(path: string): Promise<HashedFile | undefined> {
  const { size } = await stat(path);
  if (size < MIN_BYTES || size > MAX_BYTES) return undefined;
  return {
    path,
    hash: createHash("sha256")
      .update(await readFile(path))
      .digest("hex"),
  };
}
