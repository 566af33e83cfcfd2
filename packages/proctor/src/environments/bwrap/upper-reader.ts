// Reads the directory that holds what an environment wrote. Its names and links are whatever somebody in there made of them, so the
// programs that read it are this machine's own, and see nothing but that directory and themselves.
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { ProctorError } from "../../core/errors.ts";
import { readArchive } from "../../runtime/archive/read-archive.ts";
import type { EnvironmentDir } from "./environment-dir.ts";
import type { Keeper } from "./keeper.ts";
import { TOOL_ENV, type Machine } from "./machine.ts";
import { quoteAll } from "./quote.ts";

export interface UpperEntry {
  /** Absolute path inside the environment. */
  path: string;
  type: "file" | "directory" | "link" | "other" | "whiteout";
  mode: number;
  uid: number;
  gid: number;
  size: number;
  /** Time of the last change in seconds since 1970. */
  mtime: number;
}

export interface UpperListing {
  entries: ReadonlyMap<string, UpperEntry>;
  /** Directories that hide everything of the root below them. */
  opaque: ReadonlySet<string>;
}

export interface UpperReader {
  list(): Promise<UpperListing>;
  /** Yields everything as a tar stream, with names as bytes in latin1. */
  archive(): AsyncIterable<Uint8Array>;
  /** The path at which the root is seen without what was written. */
  readonly base: string;
}

const MAX_LISTING_BYTES = 256 * 1024 * 1024;

/** All entries, an empty record, then an archive of the directories alone with the mark that makes one opaque. */
const LIST = String.raw`find . -mindepth 1 -printf '%y %m %U %G %s %T@ %P\0' && printf '\0' &&
find . -type d -print0 | tar -c -f - --format=posix --no-recursion --null -T - --xattrs --xattrs-include='*.overlay.opaque'`;
const ARCHIVE = "exec tar -c -f - --format=gnu --numeric-owner .";

export function createUpperReader(machine: Machine, keeper: Keeper, dir: EnvironmentDir): UpperReader {
  const { tools, root } = machine;
  const enter = [
    tools.nsenter,
    ...(root ? [] : [`--user=/proc/${keeper.outer}/ns/user`, "--preserve-credentials"]),
    `--mount=/proc/${keeper.outer}/ns/mnt`,
  ];
  let asked: Promise<UpperListing> | undefined;

  async function* read(script: string): AsyncGenerator<Uint8Array> {
    const view = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix", "/gnu"].flatMap((path) => [
      "--ro-bind-try",
      path,
      path,
    ]);
    // Reading the mark of an opaque directory takes CAP_SYS_ADMIN, and reading names regardless of their owner takes CAP_DAC_READ_SEARCH.
    const rights = ["--cap-drop", "ALL", "--cap-add", "CAP_DAC_READ_SEARCH", "--cap-add", "CAP_SYS_ADMIN"];
    const sandbox = [
      tools.bwrap,
      ...view,
      "--ro-bind",
      `${dir.path}/${dir.upper}`,
      "/u",
      // There is no separate network, which would cost more than all the rest, and find and tar use none.
      "--unshare-pid",
    ];
    // tar exits with 1 for files that changed while it read them.
    yield* output(
      [...enter, ...sandbox, ...rights, "--die-with-parent", "--chdir", "/u", "--", "/bin/sh", "-c", script],
      1,
    );
  }

  async function list(): Promise<UpperListing> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of read(LIST)) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_LISTING_BYTES)
        throw new ProctorError("PAYLOAD_TOO_LARGE", "the environment holds too many files to list them");
    }
    return parseListing(Buffer.concat(chunks));
  }

  return {
    // Concurrent callers share a listing that has not begun. One under way may have missed recent writes, so no caller joins it.
    list: () =>
      (asked ??= Promise.resolve().then(() => {
        asked = undefined;
        return list();
      })),
    archive: () => read(ARCHIVE),
    base: `/proc/${keeper.outer}/root${dir.path}/${dir.base}`,
  };
}

/** Yields the output of a command; `worst` is the highest exit code that is not a failure. */
async function* output(command: readonly string[], worst: number): AsyncGenerator<Uint8Array> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { env: TOOL_ENV, cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-2000)));
  const ended = new Promise<number>((resolve) => {
    child.once("error", (error) => {
      said += error.message;
      resolve(127);
    });
    child.once("close", (code) => resolve(code ?? 137));
  });
  try {
    for await (const piece of child.stdout) yield piece as Uint8Array;
    const code = await ended;
    if (code > worst)
      throw new Error(
        `the files of the environment could not be read: ${said.trim() || quoteAll([program, String(code)])}`,
      );
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
}

const TYPES: Record<string, UpperEntry["type"]> = { f: "file", d: "directory", l: "link", c: "whiteout" };

async function parseListing(bytes: Buffer): Promise<UpperListing> {
  const end = bytes[0] === 0 ? 0 : bytes.indexOf("\0\0") + 1;
  const entries = new Map<string, UpperEntry>();
  for (const record of splitRecords(bytes.subarray(0, end))) {
    const [type = "", mode, uid, gid, size, mtime, ...rest] = record.split(" ");
    const path = `/${rest.join(" ")}`;
    entries.set(path, {
      path,
      type: TYPES[type] ?? "other",
      mode: Number.parseInt(mode ?? "0", 8),
      uid: Number(uid),
      gid: Number(gid),
      size: Number(size),
      mtime: Number(mtime),
    });
  }
  const opaque = new Set<string>();
  for await (const { header } of readArchive(Readable.from([bytes.subarray(end + 1)]))) {
    const marks = header.pax as Record<string, string> | null | undefined;
    const isOpaque = Object.entries(marks ?? {}).some(
      ([name, value]) => name.endsWith(".overlay.opaque") && value === "y",
    );
    if (isOpaque) opaque.add(`/${header.name.replace(/^\.\//, "").replace(/\/$/, "")}`);
  }
  return { entries, opaque };
}

/** Splits the list into records, and leaves out names that are not valid UTF-8, because they cannot be reported. */
function splitRecords(bytes: Buffer): string[] {
  const decoder = new TextDecoder("utf8", { fatal: true });
  const records: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const next = bytes.indexOf(0, at);
    try {
      records.push(decoder.decode(bytes.subarray(at, next)));
    } catch {
      // The path is only seen inside.
    }
    at = next + 1;
  }
  return records;
}
