// The cases of a journal: one `proctor test`, finished or not. The lines of single runs are skipped.
import { z } from "zod";
import { JOURNAL_VERSION } from "../journal/journal.ts";
import { readLines } from "../journal/read-lines.ts";
import type { ResultCase, ResultSet } from "./comparison.ts";
import { endSchema, resultCaseSchema } from "./result-schemas.ts";
import { incompleteBecause } from "./incomplete.ts";
import { parseResults, unreadable } from "./results-error.ts";

const headerSchema = z.object({
  version: z.literal(JOURNAL_VERSION),
  created_at: z.iso.datetime(),
  cases: z.number().int().min(0),
});

/** Lines are recognised before they are parsed: those of runs are many, long, and not needed. */
const NEEDED = ['"type":"case"', '"type":"summary"'] as const;

export async function readJournalResults(file: string): Promise<Omit<ResultSet, "name">> {
  const cases: ResultCase[] = [];
  let header: z.output<typeof headerSchema> | undefined;
  let incomplete: string | undefined = "";
  let number = 0;
  for await (const { bytes, whole } of readLines(file)) {
    number += 1;
    // A crash cut off this last line.
    if (!whole) break;
    const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (header && !NEEDED.some((mark) => line.includes(mark))) continue;
    const { type, ...document } = parseLine(line, file, number);
    if (!header) header = parseResults(headerSchema, document, file, `line ${number}`);
    else if (type === "case") cases.push(parseResults(resultCaseSchema, document, file, `line ${number}`));
    else if (type === "summary")
      incomplete = incompleteBecause(parseResults(endSchema, document, file, `line ${number}`));
  }
  if (!header) throw unreadable(file, "it is empty");
  if (incomplete === "") incomplete = `it was cut off after ${cases.length} of ${header.cases} cases`;
  return { created_at: header.created_at, cases, ...(incomplete !== undefined && { incomplete }) };
}

function parseLine(line: Buffer, file: string, number: number): Record<string, unknown> {
  try {
    return z.looseObject({}).parse(JSON.parse(line.toString("utf8")));
  } catch {
    throw unreadable(file, `line ${number} is no JSON object`);
  }
}
