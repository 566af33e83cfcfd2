// The document of an earlier trial, from a file: what `--baseline` compares with.
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import type { Baseline } from "../../../conformance/compare-baseline.ts";
import { describeIssues } from "../../../core/describe-issues.ts";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject } from "../../../core/json.ts";

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = 64 * MEGABYTE;

const earlierSchema = z.object({
  agent: z.string(),
  protocol: z.string().exactOptional(),
  checked_at: z.string().exactOptional(),
  rules: z.array(z.object({ id: z.string(), outcome: z.enum(["pass", "fail", "unevaluated"]) })),
  // Tells it from the summary for registries, which has no rules, and from reports of suites.
  summary: z.looseObject({}),
});

/** Throws FILE_UNREADABLE. */
export async function readBaseline(file: string, cwd: string): Promise<Baseline> {
  const document = await readDocument(file, resolve(cwd, file));
  const parsed = earlierSchema.safeParse(document);
  if (!parsed.success) {
    const [issue] = describeIssues(parsed.error.issues, document);
    throw unreadable(file, issue?.message ?? "it has another shape");
  }
  const { rules, summary: _, ...head } = parsed.data;
  return { file, ...head, outcomes: new Map(rules.map(({ id, outcome }) => [id, outcome])) };
}

async function readDocument(file: string, path: string): Promise<unknown> {
  let text: string;
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw unreadable(file, `it has more than ${MAX_BYTES / MEGABYTE} MB`);
    text = await readFile(path, "utf8");
  } catch (error) {
    if (ProctorError.is(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw unreadable(file, code === "ENOENT" ? "there is no such file" : message);
  }
  try {
    // Some editors put a byte order mark in front.
    const document: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (isJsonObject(document)) return document;
  } catch {
    throw unreadable(file, "it is no JSON");
  }
  throw unreadable(file, "it is no JSON object");
}

function unreadable(file: string, why: string): ProctorError {
  return new ProctorError(
    "FILE_UNREADABLE",
    `--baseline ${file}  this is no report of conformance: ${why}\nwrite one first: proctor conform <agent> --reporter json=<file>`,
    { details: { file } },
  );
}
