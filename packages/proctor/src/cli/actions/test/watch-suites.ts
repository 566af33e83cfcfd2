// `proctor test --watch`: runs again whenever something changes in the folders of the suites. What changes while a run is under way is
// assumed to be the agents' own work.
import { readdir, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { CommandContext } from "../../compose/compose.ts";
import { reportError } from "../../report-error.ts";
import { createScreen } from "../../terminal/screen.ts";

/** Milliseconds between looks at the files. Notifications of changes do not work on every file system. */
const LOOK_MS = 250;
/** Number of files that are watched. Others are ignored. */
const MAX_FILES = 5000;
const IGNORED = new Set([".proctor", ".git", "node_modules", "artifacts"]);

export async function watchSuites(
  names: readonly string[],
  { io }: CommandContext,
  run: () => Promise<number>,
): Promise<number> {
  const folders = new Set(await Promise.all(names.map((name) => folderOf(resolve(io.cwd, name)))));
  const screen = createScreen(io);
  while (!io.signal.aborted) {
    try {
      await run();
    } catch (error) {
      // The next change may mend a suite that is wrong now.
      reportError(error, io, false);
    }
    if (io.signal.aborted) break;
    const before = await look(folders);
    screen.print(screen.paint.dim("waiting for a change … (Ctrl-C ends it)"));
    const changed = await nextChange(folders, before, io.signal);
    if (changed !== undefined) screen.print(screen.paint.dim(`${relative(io.cwd, changed)} changed`));
  }
  return 130;
}

async function folderOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true ? path : dirname(path);
}

/** Resolves to the path of what changed, or to undefined when it was interrupted. */
async function nextChange(
  folders: ReadonlySet<string>,
  before: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<string | undefined> {
  while (!signal.aborted) {
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
    const now = await look(folders);
    const changed = [...now.keys()].find((path) => now.get(path) !== before.get(path));
    const gone = [...before.keys()].find((path) => !now.has(path));
    if (changed !== undefined || gone !== undefined) return changed ?? gone;
  }
  return undefined;
}

/** Maps every file to its modification time, size and inode. */
async function look(folders: ReadonlySet<string>): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (IGNORED.has(entry.name) || states.size >= MAX_FILES) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      const found = entry.isFile() ? await stat(path).catch(() => undefined) : undefined;
      if (found) states.set(path, `${found.mtimeMs} ${found.size} ${found.ino}`);
    }
  }
  return states;
}
