// Reads a journal back: which runs were made, and how its cases ended. The runs themselves stay in the file until one
// is asked for.
import { messageOf } from "../../core/message-of.ts";
import { open, type FileHandle } from "node:fs/promises";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { ResultCase } from "../compare/comparison.ts";
import { caseIdentifier, type PlannedCase } from "../plan.ts";
import type { AttemptResult } from "../result.ts";
import { attemptOf, type AttemptRecord } from "./attempt-record.ts";
import { JOURNAL_VERSION, type JournaledEvaluation } from "./journal.ts";
import { readLines } from "./read-lines.ts";

export interface OpenJournal {
  createdAt: string;
  /** The evaluation that the hub keeps of the invocation. */
  evaluation?: JournaledEvaluation;
  cases: readonly ResultCase[];
  /** The run of a case with this number; undefined where there was none. */
  find(planned: PlannedCase, number: number): JournaledRun | undefined;
  read(run: JournaledRun): Promise<AttemptResult>;
  close(): Promise<void>;
}

interface JournaledRun {
  runId: string | null;
  taskKey: string;
  key: string;
  /** Offset of the line in the file, in bytes. */
  offset: number;
  length: number;
}

/** A last line that a crash cut off does not count. Throws FILE_UNREADABLE. */
export async function openJournal(file: string): Promise<OpenJournal> {
  const runs = new Map<string, JournaledRun>();
  /** The runs of a case share their keys: each is held once. */
  const texts = new Map<string, string>();
  const once = (text: string): string => texts.get(text) ?? (texts.set(text, text), text);
  const cases: ResultCase[] = [];
  let createdAt: string | undefined;
  // Ours, as journal.ts wrote it.
  let evaluation: unknown;
  let number = 0;
  for await (const { offset, bytes, whole } of lines(file)) {
    number += 1;
    const record = whole ? parse(bytes) : undefined;
    if (whole && record === undefined) throw unreadable(file, `line ${number} is no JSON object`);
    if (record === undefined) break;
    if (number === 1) {
      createdAt = headerOf(record, file);
      ({ evaluation } = record);
    }
    if (record["type"] === "case") cases.push(record as unknown as ResultCase);
    if (record["type"] !== "run") continue;
    // Ours, as attempt-record.ts wrote it.
    const run = record as AttemptRecord;
    const name = caseIdentifier(run.suite, run.test_id, run.agent);
    const { run_id: runId } = run;
    const [taskKey, key] = [once(run.task_key), once(run.key)];
    runs.set(`${name}#${run.run_number}`, { runId, taskKey, key, offset, length: bytes.length });
  }
  if (createdAt === undefined) throw unreadable(file, "it is empty");
  // The file is opened once, even for concurrent calls.
  let opened: Promise<FileHandle> | undefined;
  return {
    createdAt,
    ...(isJsonObject(evaluation) && { evaluation: evaluation as JournaledEvaluation }),
    cases,
    find: ({ suite, test, agent }, number) =>
      runs.get(`${caseIdentifier(suite.name, test.id, agent.label)}#${number}`),
    async read({ offset, length }) {
      const handle = await (opened ??= open(file, "r"));
      const { buffer } = await handle.read(Buffer.alloc(length), 0, length, offset);
      // Parsed once before, when the journal was opened.
      return attemptOf(JSON.parse(buffer.toString("utf8")) as AttemptRecord);
    },
    close: async () => (await opened)?.close(),
  };
}

async function* lines(file: string): ReturnType<typeof readLines> {
  try {
    yield* readLines(file);
  } catch (error) {
    throw unreadable(file, messageOf(error));
  }
}

function headerOf(record: JsonObject, file: string): string {
  const { type, version, created_at: createdAt } = record;
  if (type === "invocation" && version === JOURNAL_VERSION && typeof createdAt === "string") return createdAt;
  throw unreadable(file, "it does not begin like results of `proctor test`");
}

function parse(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(file: string, why: string): ProctorError {
  return new ProctorError("FILE_UNREADABLE", `${file}  these results cannot be read: ${why}`, {
    details: { file },
  });
}
