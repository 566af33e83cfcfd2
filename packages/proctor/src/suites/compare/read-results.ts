// Results from a file, whichever of ours it is: a baseline, a journal of `proctor test`, or a report of its JSON reporter.
import { open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { ResultSet } from "./comparison.ts";
import { readJournalResults } from "./read-journal-results.ts";
import { readReportResults } from "./read-report-results.ts";
import { BASELINE_TYPE, BASELINE_VERSION, baselineSchema } from "./result-schemas.ts";
import { parseResults, unreadable } from "./results-error.ts";

const MEGABYTE = 1024 * 1024;
/** Bytes of the largest document, which is read as a whole; a journal is read line by line. */
const MAX_DOCUMENT_BYTES = 256 * MEGABYTE;
const MAX_JOURNAL_BYTES = 2048 * MEGABYTE;
/** Bytes that contain the first line of a journal, which names its suites. */
const HEAD_BYTES = MEGABYTE;

const JOURNAL = /^\{\s*"type"\s*:\s*"invocation"[^\n]*\n/;

/** Throws FILE_UNREADABLE. */
export async function readResults(file: string): Promise<ResultSet> {
  const { head, size, changedAt } = await lookAt(file);
  const isJournal = JOURNAL.test(head);
  const most = isJournal ? MAX_JOURNAL_BYTES : MAX_DOCUMENT_BYTES;
  if (size > most) throw unreadable(file, `it has more than ${most / MEGABYTE} MB`);
  const name = basename(file);
  if (isJournal) return { name, ...(await readJournalResults(file)) };
  const document = await readDocument(file);
  if (document["type"] === BASELINE_TYPE) return { name, ...readBaseline(document, file) };
  if (Array.isArray(document["cases"]) && isJsonObject(document["summary"]))
    return { name, ...readReportResults(document, file, changedAt) };
  throw unreadable(file, "it is JSON of another kind");
}

async function lookAt(file: string): Promise<{ head: string; size: number; changedAt: Date }> {
  try {
    const handle = await open(file, "r");
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw unreadable(file, "it is not a file");
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(found.size, HEAD_BYTES)));
      return { head: buffer.toString("utf8", 0, bytesRead), size: found.size, changedAt: found.mtime };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (ProctorError.is(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw unreadable(file, code === "ENOENT" ? "there is no such file" : message);
  }
}

async function readDocument(file: string): Promise<JsonObject> {
  try {
    // Some editors put a byte order mark in front.
    const document: unknown = JSON.parse((await readFile(file, "utf8")).replace(/^\uFEFF/, ""));
    if (isJsonObject(document)) return document;
  } catch (error) {
    throw unreadable(file, error instanceof SyntaxError ? "it is no JSON" : String(error));
  }
  throw unreadable(file, "it is no JSON object");
}

function readBaseline(document: JsonObject, file: string): Omit<ResultSet, "name"> {
  const { version } = document;
  if (typeof version === "number" && version > BASELINE_VERSION)
    throw unreadable(file, `it is of version ${version}; this Proctor knows ${BASELINE_VERSION}`);
  const { type: _, version: __, ...rest } = parseResults(baselineSchema, document, file);
  return rest;
}
