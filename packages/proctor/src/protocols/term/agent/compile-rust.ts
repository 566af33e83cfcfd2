// A Rust agent that is one file: compiled once, by its content, into a directory that only this user can write.
import { messageOf } from "../../../core/message-of.ts";
import { lstat, mkdir, rename, rm, stat } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../../channels/process/run-command.ts";
import type { Failure } from "../../../core/failure.ts";
import { notStarted } from "../errors.ts";

export interface RustSource {
  file: string;
  source: string;
  /** A hash of the content, which names the compiled program. */
  key: string;
}

const COMPILE_MS = 180_000;
const SHOWN_CHARS = 4000;
const USES_SDK = /^[ \t]*(?:use|extern\s+crate)\s+(?:::)?term_sdk\b/m;

/** Resolves with the path of the program, or why there is none. */
export async function compileRust(
  { file, source, key }: RustSource,
  signal: AbortSignal,
): Promise<string | Failure> {
  if (USES_SDK.test(source)) {
    const next = "build it with cargo (cargo build --release) and give the program that this makes";
    return notStarted(`${file} uses the crate term_sdk, and a single file has no crates\n${next}`, "other");
  }
  const folder = await privateFolder();
  if (folder === undefined) {
    const where = join(tmpdir(), folderName());
    return notStarted(`${where} belongs to somebody else, and programs are kept in it\nremove it`, "other");
  }
  const program = join(folder, key);
  if (await isFile(program)) return program;
  const fresh = `${program}.${randomUUID()}`;
  try {
    const { code, stderr, timedOut } = await runCommand(
      {
        command: ["rustc", "-O", "--edition", "2021", "--crate-name", "agent", "-o", fresh, file],
        cwd: folder,
        timeoutMs: COMPILE_MS,
      },
      signal,
    );
    if (timedOut) return notStarted(`rustc did not finish ${file} within ${COMPILE_MS / 1000} s`, "other");
    if (code !== 0)
      return notStarted(`rustc refused ${file}:\n${stderr.slice(0, SHOWN_CHARS).trim()}`, "other");
    await rename(fresh, program);
    return program;
  } catch (error) {
    signal.throwIfAborted();
    const why = messageOf(error);
    return notStarted(`${file} could not be compiled: ${why}\ninstall Rust (https://rustup.rs)`, "not-found");
  } finally {
    await rm(fresh, { force: true });
  }
}

function folderName(): string {
  return `proctor-rust-agents-${userInfo().uid}`;
}

/** Resolves with a folder in which no other user can have put a program. */
async function privateFolder(): Promise<string | undefined> {
  const folder = join(tmpdir(), folderName());
  await mkdir(folder, { mode: 0o700, recursive: true });
  const found = await lstat(folder);
  const own = process.getuid === undefined || found.uid === process.getuid();
  return found.isDirectory() && own && (found.mode & 0o022) === 0 ? folder : undefined;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
