// The reports of linters, as they write them for machines.
import { basename } from "node:path";
import { z } from "zod";
import { quote } from "../../core/printable.ts";
import { parseJson } from "../json/parse-json.ts";

interface LintReport {
  errors: number;
  warnings: number;
  /** The first violation, in words. */
  first?: string;
}

const ruffReport = z.array(
  z.object({
    code: z.string().nullish(),
    message: z.string(),
    filename: z.string(),
    location: z.object({ row: z.number() }).nullish(),
  }),
);

/** Counts as the ATP platform does: rules whose names begin with E, and what is not Python at all, are errors. */
export function readRuff(stdout: string): LintReport | undefined {
  const report = ruffReport.safeParse(parseJson(stdout)).data;
  if (!report) return undefined;
  const errors = report.filter(
    ({ code }) => code == null || code === "invalid-syntax" || /^E\d/.test(code),
  ).length;
  const [one] = report;
  const counts = { errors, warnings: report.length - errors };
  return one
    ? { ...counts, first: describe(one.filename, one.location?.row, one.message, one.code ?? "syntax") }
    : counts;
}

const eslintReport = z.array(
  z.object({
    filePath: z.string(),
    errorCount: z.number(),
    warningCount: z.number(),
    messages: z.array(
      z.object({ line: z.number().nullish(), message: z.string(), ruleId: z.string().nullish() }),
    ),
  }),
);

export function readEslint(stdout: string): LintReport | undefined {
  const report = eslintReport.safeParse(parseJson(stdout)).data;
  if (!report) return undefined;
  const sum = (key: "errorCount" | "warningCount"): number =>
    report.reduce((total, file) => total + file[key], 0);
  const counts = { errors: sum("errorCount"), warnings: sum("warningCount") };
  const file = report.find(({ messages }) => messages.length > 0);
  const [one] = file?.messages ?? [];
  return file && one
    ? { ...counts, first: describe(file.filePath, one.line, one.message, one.ruleId ?? "syntax") }
    : counts;
}

function describe(file: string, line: number | null | undefined, message: string, rule: string): string {
  return `${quote(`${basename(file)}${line == null ? "" : `:${line}`}`)}: ${quote(message, 120)} (${quote(rule)})`;
}
