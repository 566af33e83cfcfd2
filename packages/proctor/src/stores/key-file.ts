// A key in a file of its own: 32 bytes, readable by its owner only, made when it is missing.
import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ProctorError } from "../core/errors.ts";
import { messageOf } from "../core/message-of.ts";
import { diskError, errnoOf } from "./disk-error.ts";
import { KEY_BYTES, readKey as parseKey } from "../runtime/read-key.ts";
import { syncDirectory } from "./sync-directory.ts";

/** Codes of a file system that has no hard links. */
const WITHOUT_LINKS = new Set(["EPERM", "ENOTSUP", "ENOSYS", "EMLINK"]);

/** Opens the file, which holds 32 bytes as base64. Throws CONFIG_INVALID for one that does not. */
export async function openKeyFile(keyFile: string): Promise<Buffer> {
  return (await readKey(keyFile)) ?? (await createKey(keyFile));
}

/** Resolves with undefined when there is no such file. */
async function readKey(keyFile: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = (await readFile(keyFile, "latin1")).trim();
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    const reason = messageOf(error);
    throw invalidKey(keyFile, `cannot be read: ${reason}`, "make it readable for this user", error);
  }
  const key = parseKey(text);
  if (key !== undefined) return key;
  throw invalidKey(
    keyFile,
    text === "" ? "is empty" : `does not hold ${KEY_BYTES} bytes as base64`,
    "restore it from a backup; or delete it, and a new one is made (what was sealed with the old one is lost)",
  );
}

async function createKey(keyFile: string): Promise<Buffer> {
  const key = randomBytes(KEY_BYTES);
  const directory = dirname(keyFile);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeWhole(keyFile, `${key.toString("base64")}\n`);
    await syncDirectory(directory);
    return key;
  } catch (error) {
    // Another process made the key meanwhile; that one counts.
    const theirs = errnoOf(error) === "EEXIST" ? await readKey(keyFile) : undefined;
    if (theirs !== undefined) return theirs;
    throw diskError(error, directory);
  }
}

/** Makes the file appear with its content or not at all; fails with EEXIST when it is there. */
async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeNew(temporary, text);
    await link(temporary, path);
  } catch (error) {
    if (!WITHOUT_LINKS.has(errnoOf(error) ?? "")) throw error;
    await writeNew(path, text);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  await using handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function invalidKey(keyFile: string, what: string, next: string, cause?: unknown): ProctorError {
  return new ProctorError("CONFIG_INVALID", `the key file ${keyFile} ${what}\n${next}`, { cause });
}
