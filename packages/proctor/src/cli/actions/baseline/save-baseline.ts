// `proctor baseline save`: results into a file that is committed. It is complete or not there at all.
import { randomBytes } from "node:crypto";
import { mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { ResultSet } from "../../../suites/compare/comparison.ts";
import { pairCases } from "../../../suites/compare/pair-cases.ts";
import { readResults } from "../../../suites/compare/read-results.ts";
import { renderBaseline } from "../../../suites/compare/render-baseline.ts";
import type { SaveBaselineFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { formatAgo, formatCount, plural } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { oneLine } from "../../terminal/text.ts";
import { pathOf } from "../path-of.ts";
import { givenResults } from "./given-results.ts";

export async function saveBaseline(
  file: string,
  flags: SaveBaselineFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  const path = pathOf(file, io.cwd);
  const results = await givenResults(flags, context);
  refuseIncomplete(results, flags);
  const earlier = await earlierBaseline(path, file);
  await writeWhole(path, renderBaseline(results), file);

  const saved = summarise(results, earlier);
  const screen = createScreen(io);
  if (flags.json === true) {
    screen.printJson({ file, ...saved });
    return 0;
  }
  const { paint } = screen;
  const line = (label: string, text: string): string => `  ${paint.dim(label.padEnd(12))}${oneLine(text)}`;
  const { passed, failed, unevaluated } = saved;
  screen.print(
    `${paint.green("✓")} ${earlier ? "replaced" : "saved"} ${oneLine(file)}`,
    line(
      "cases",
      `${formatCount(saved.cases)}: ${passed} passed, ${failed} failed, ${unevaluated} unevaluated`,
    ),
    line("runs", formatCount(saved.runs)),
    line(
      "results",
      `${results.name} of ${results.created_at} (${formatAgo(results.created_at, Date.now())})`,
    ),
    ...(results.incomplete === undefined ? [] : [line("incomplete", results.incomplete)]),
    ...(earlier ? [line("changed", changes(saved))] : []),
    line("try", `proctor test … --baseline ${file}`),
  );
  return 0;
}

function refuseIncomplete({ name, incomplete, cases }: ResultSet, { partial }: SaveBaselineFlags): void {
  if (cases.length === 0)
    throw new ProctorError("USAGE", `${name} has no finished case\nrun \`proctor test\` first`);
  if (incomplete === undefined || partial === true) return;
  throw new ProctorError(
    "USAGE",
    `${name} is incomplete: ${incomplete}\nfinish it with proctor test … --resume, or save what there is with --partial`,
  );
}

/** Resolves with undefined when there is no such file. Throws USAGE for a file that is not a baseline. */
async function earlierBaseline(path: string, file: string): Promise<ResultSet | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  try {
    return await readResults(path);
  } catch (cause) {
    const next = "choose another name, or remove the file first";
    throw new ProctorError("USAGE", `${file} is there and is no baseline: it is left as it is\n${next}`, {
      cause,
    });
  }
}

async function writeWhole(path: string, text: string, file: string): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(temporary, "wx");
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new ProctorError(
      code === "ENOSPC" ? "STORE_FULL" : "USAGE",
      `${file} cannot be written (${message})\nchoose a path that can be written`,
      { cause },
    );
  }
}

interface Saved {
  created_at: string;
  cases: number;
  passed: number;
  failed: number;
  unevaluated: number;
  runs: number;
  /** Number of cases that the earlier baseline did not have. */
  added: number;
  /** Number of cases that only the earlier baseline had. */
  removed: number;
  /** Number of cases whose outcome differs from the earlier baseline. */
  changed: number;
}

function summarise({ cases, created_at }: ResultSet, earlier: ResultSet | undefined): Saved {
  const count = (outcome: string): number => cases.filter((one) => one.outcome === outcome).length;
  const pairs = earlier ? pairCases(earlier.cases, cases) : [];
  return {
    created_at,
    cases: cases.length,
    passed: count("pass"),
    failed: count("fail"),
    unevaluated: count("unevaluated"),
    runs: cases.reduce((sum, { runs }) => sum + runs.length, 0),
    added: pairs.filter(({ before }) => !before).length,
    removed: pairs.filter(({ after }) => !after).length,
    changed: pairs.filter(({ before, after }) => before && after && before.outcome !== after.outcome).length,
  };
}

function changes({ added, removed, changed }: Saved): string {
  const parts = [
    ...(added > 0 ? [`${plural(added, "case")} added`] : []),
    ...(removed > 0 ? [`${plural(removed, "case")} gone`] : []),
    ...(changed > 0 ? [`${plural(changed, "case")} with another outcome`] : []),
  ];
  return parts.length === 0 ? "no case has another outcome" : parts.join(", ");
}
