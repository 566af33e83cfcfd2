// Which commit and branch a directory is at, read from git's own files: no program is started for it. Unknown is null, never an error.
import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

export interface GitHead {
  commit: string | null;
  branch: string | null;
}

const UNKNOWN: GitHead = { commit: null, branch: null };
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const BRANCH = "refs/heads/";
/** Most directories that are searched, upwards. */
const MAX_LEVELS = 64;

export async function gitHead(directory: string): Promise<GitHead> {
  const git = await findGit(resolve(directory));
  const head = git === undefined ? undefined : await text(join(git, "HEAD"));
  if (git === undefined || head === undefined) return UNKNOWN;
  if (COMMIT.test(head)) return { commit: head, branch: null };
  const ref = /^ref: (refs\/[^\0]+)$/.exec(head)?.[1];
  // A name that leads elsewhere is not followed.
  if (ref === undefined || ref.split("/").includes("..")) return UNKNOWN;
  const branch = ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : null;
  return { commit: await commitOf(git, ref), branch };
}

/** Returns the directory of a repository; a worktree has a file that names its own. */
async function findGit(start: string): Promise<string | undefined> {
  let at = start;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const place = join(at, ".git");
    if ((await text(join(place, "HEAD"))) !== undefined) return place;
    const elsewhere = /^gitdir: (.+)$/m.exec((await text(place)) ?? "")?.[1];
    if (elsewhere !== undefined) return isAbsolute(elsewhere) ? elsewhere : join(at, elsewhere);
    const above = dirname(at);
    if (above === at) return undefined;
    at = above;
  }
  return undefined;
}

async function commitOf(git: string, ref: string): Promise<string | null> {
  const common = await text(join(git, "commondir"));
  const places = [git, ...(common === undefined ? [] : [resolve(git, common)])];
  for (const place of places) {
    const loose = await text(join(place, ref));
    if (loose !== undefined && COMMIT.test(loose)) return loose;
  }
  for (const place of places) {
    for (const line of ((await text(join(place, "packed-refs"))) ?? "").split("\n")) {
      const [commit = "", name] = line.split(" ");
      if (name === ref && COMMIT.test(commit)) return commit;
    }
  }
  return null;
}

async function text(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    return undefined;
  }
}
