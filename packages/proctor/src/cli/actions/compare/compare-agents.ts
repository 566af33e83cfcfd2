// `proctor compare`: runs suites with two agents, or takes two files of results, and says which side is better.
import { stat } from "node:fs/promises";
import { ProctorError } from "../../../core/errors.ts";
import { alignAgents, decideWinner, resultsOfAgent } from "../../../suites/compare/compare-agents.ts";
import { compareResults } from "../../../suites/compare/compare-results.ts";
import type { ResultCase, ResultSet } from "../../../suites/compare/comparison.ts";
import { coversBoth } from "../../../suites/compare/coverage.ts";
import { incompleteBecause } from "../../../suites/compare/incomplete.ts";
import { readResults } from "../../../suites/compare/read-results.ts";
import { resultCase } from "../../../suites/journal/journal.ts";
import type { Reporter } from "../../../suites/reporter.ts";
import type { CompareFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { agentTable } from "./compare-agents-table.ts";
import { caseTable, findingLines, type SideWords } from "./compare-report.ts";
import { pathOf } from "../path-of.ts";

const WORDS: SideWords = {
  before: "A",
  after: "B",
  changes: {
    regressed: "A is better",
    improved: "B is better",
    undecided: "undecided",
    missing: "only A",
    new: "only B",
    unchanged: "no difference",
  },
};

interface Compared {
  /** The first agent or, without suites, the first file of results. */
  a: string;
  /** The second agent or file of results. */
  b: string;
  suites: readonly string[];
}

export async function compareAgents(
  compared: Compared,
  flags: CompareFlags,
  context: CommandContext,
): Promise<number> {
  const sides =
    compared.suites.length === 0
      ? await readBoth(compared, context)
      : await runBoth(compared, flags, context);
  if (sides === "interrupted") return 130;
  const comparison = compareResults(...sides, { ...(flags.alpha !== undefined && { alpha: flags.alpha }) });
  const { winner, text } = decideWinner(comparison);
  const screen = createScreen(context.io);
  if (flags.json === true) screen.printJson({ ...comparison, winner, verdict: text });
  else {
    const { paint } = screen;
    screen.print(
      ...agentTable(comparison, screen),
      "",
      ...caseTable(comparison, screen, WORDS),
      "",
      ...findingLines(comparison, screen),
      "",
      winner === null ? paint.bold(text) : paint.bold(paint.green(text)),
    );
  }
  if (flags.failOn === "worse" && comparison.regression) return 1;
  return coversBoth(comparison.cases) ? 0 : 3;
}

async function readBoth({ a, b }: Compared, { io }: CommandContext): Promise<[ResultSet, ResultSet]> {
  for (const name of [a, b]) {
    const found = await stat(pathOf(name, io.cwd)).catch(() => undefined);
    if (found?.isFile() === true) continue;
    const next = `name the suites to run: proctor compare <a> <b> suites/`;
    throw new ProctorError(
      "USAGE",
      `without a suite, <a> and <b> are files of results, and "${name}" is none\n${next}`,
    );
  }
  const [first, second] = [await readResults(pathOf(a, io.cwd)), await readResults(pathOf(b, io.cwd))];
  // Files of the same name in two folders are told apart by what was typed.
  const named =
    first.name === second.name
      ? [
          { ...first, name: a },
          { ...second, name: b },
        ]
      : [first, second];
  return alignAgents(...(named as [ResultSet, ResultSet]));
}

/** One plan with both agents: at each test they take turns, so that what changes meanwhile changes for both. */
async function runBoth(
  { a, b, suites }: Compared,
  flags: CompareFlags,
  context: CommandContext,
): Promise<[ResultSet, ResultSet] | "interrupted"> {
  const [first, second] = [labelOf(a), labelOf(b)];
  if (first === second)
    throw new ProctorError("USAGE", `"${first}" is compared with itself\nname two different agents`);
  const { alpha: _, failOn: __, json, reporter = [], ...rest } = flags;
  const shown = reporter.filter((name) => !name.includes("="));
  if (shown.some((name) => name !== "console") || (json === true && shown.length > 0)) {
    throw new ProctorError(
      "USAGE",
      "the comparison goes to stdout\ngive reporters a file: --reporter junit=report.xml",
    );
  }
  const results = gatherResults();
  const { testSuites } = await import("../test/test-suites.ts");
  const code = await testSuites(suites, { ...rest, agent: [a, b], reporter }, context, {
    reporters: [results.reporter],
    stdoutTaken: json === true,
  });
  if (code === 130) return "interrupted";
  if (json !== true) context.io.stdout.write("\n");
  const set = results.take();
  return [resultsOfAgent(set, first), resultsOfAgent(set, second)];
}

/** Gathers the results of an invocation without a file in between. */
function gatherResults(): { reporter: Reporter; take: () => ResultSet } {
  const cases: ResultCase[] = [];
  const createdAt = new Date().toISOString();
  let incomplete: string | undefined;
  return {
    reporter: {
      start: () => undefined,
      caseEnded: (result) => void cases.push(resultCase(result)),
      end({ total, notRun, stopped }) {
        incomplete = incompleteBecause({ total, not_run: notRun.length, stopped });
      },
    },
    take: () => ({ name: "", created_at: createdAt, cases, ...(incomplete !== undefined && { incomplete }) }),
  };
}

/** Returns the name that plan.ts gives the agent in results. */
function labelOf(agent: string): string {
  return agent.replace(/\/\/[^/@\s]*@/, "//***@");
}
