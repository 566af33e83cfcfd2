// The files an agent is given before its first step: what the run's own directory starts with. Links and pipes are no files.
import { constants } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { failure, type Failure } from "../core/failure.ts";
import type { Job } from "../core/ports/driver.ts";

export interface InputFile {
  /** The path relative to the workspace, with `/`. */
  path: string;
  /** Rejects when the file is gone, is not a regular file, or is too large. */
  read(): Promise<Buffer>;
}

const MAX_FILES = 100;
const MAX_ENTRIES = 10_000;
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface InputLimits {
  /** Receiver of the files, for messages: "an Agent Protocol agent". */
  agent: string;
  maxFileBytes: number;
}

export async function findInputs(
  { runId, context }: Job,
  { agent, maxFileBytes }: InputLimits,
): Promise<InputFile[] | { refused: Failure }> {
  const { workspace_path: root } = context;
  // The hub names the directory it makes after the run. Another one is the client's own, and is not looked into.
  if (root === undefined || !isAbsolute(root) || basename(root) !== runId) return [];
  const paths = await listFiles(root);
  if (paths === undefined || paths.length > MAX_FILES) {
    const message = `the workspace has more than ${MAX_FILES} files, which is the most ${agent} is given; use a smaller fixture`;
    return { refused: failure("WORKSPACE_FAILED", message, { limit: MAX_FILES }) };
  }
  return paths.map((path) => ({ path, read: () => readFile(join(root, path), path, maxFileBytes) }));
}

/** Resolves with undefined when there are too many files. */
async function listFiles(root: string): Promise<string[] | undefined> {
  const paths: string[] = [];
  const folders = [""];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (++seen > MAX_ENTRIES || paths.length > MAX_FILES) return undefined;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) paths.push(path);
    }
  }
  return paths.toSorted();
}

async function readFile(place: string, path: string, maxBytes: number): Promise<Buffer> {
  const file = await open(place, FLAGS);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw new Error(`${path} is larger than ${maxBytes} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
