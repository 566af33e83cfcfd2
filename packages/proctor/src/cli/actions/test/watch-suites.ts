// `proctor test --watch`: runs again whenever something changes beside the suites. What changes while a run is under way is
// taken for the agents' own doing.
import { readdir, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { CommandContext } from "../../context.ts";
import { reportError } from "../../report-error.ts";
import { createScreen } from "../../terminal/screen.ts";

/** Looking is sure on every file system, where being told is not. */
const LOOK_MS = 250;
/** More files than these in a folder are not looked at. */
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
      // A suite that is wrong right now is what the next change will mend.
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

/** The path of what changed; undefined when it was ended. */
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

/** Every file, with what tells one state of it from another. */
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
