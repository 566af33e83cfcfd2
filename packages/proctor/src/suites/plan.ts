// Which cases run: tests × agents, after the filters. How often each runs is part of the case.
import type { AgentSpec } from "../core/agent.ts";
import { ProctorError } from "../core/errors.ts";
import { suggest } from "../core/suggest.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Constraints } from "../core/task.ts";
import type { Suite, SuiteTest } from "./load.ts";
import { quote } from "./printable.ts";

export interface PlannedAgent {
  /** What reports call it. */
  label: string;
  /** What the hub gets: the long form, or an address or registered name. */
  target: string | AgentSpec;
}

export interface PlannedCase {
  suite: Suite;
  test: SuiteTest;
  agent: PlannedAgent;
  constraints: Constraints;
  options: RunOptions;
  runs: number;
}

export interface Plan {
  suites: readonly Suite[];
  cases: readonly PlannedCase[];
  /** The agents of a test are one agent over several transports: what comes out must be the same. */
  differential?: boolean;
}

export interface Selection {
  /** `a,b` takes tests with one of them; `!c` leaves out. */
  tags?: string;
  ids?: readonly string[];
  /** Addresses or names that replace the agents of every test. */
  agents?: readonly string[];
  /** Replaces `runs_per_test`. */
  runs?: number;
  /** Replaces the time limit of every test. */
  timeoutSeconds?: number;
  /** For every test, whatever the suite says. */
  strict?: boolean;
  canary?: boolean;
  /** Addresses of one agent: every test runs on each, and the results must agree. */
  transports?: readonly string[];
}

/** Throws USAGE when the selection names what is not there, or leaves nothing to run. */
export function createPlan(suites: readonly Suite[], selection: Selection = {}): Plan {
  const tests = suites.flatMap((suite) => suite.tests);
  const tags = parseTags(selection.tags);
  const allTags = new Set(tests.flatMap((test) => test.tags));
  for (const tag of tags.include) requireKnown("tag", tag, [...allTags]);
  for (const id of selection.ids ?? [])
    requireKnown(
      "test",
      id,
      tests.map((test) => test.id),
    );

  const isSelected = (test: SuiteTest): boolean =>
    (tags.include.length === 0 || test.tags.some((tag) => tags.include.includes(tag))) &&
    !test.tags.some((tag) => tags.exclude.includes(tag)) &&
    (selection.ids === undefined || selection.ids.includes(test.id));

  const { timeoutSeconds } = selection;
  const limit: Constraints = timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds };
  const cases = suites.flatMap((suite) =>
    suite.tests.filter(isSelected).flatMap((test) =>
      agentsOf(suite, test, selection.transports ?? selection.agents).map((agent) => ({
        suite,
        test,
        agent,
        constraints: { ...test.constraints, ...limit },
        options: {
          ...test.options,
          ...(selection.strict && { strict: true }),
          ...(selection.canary && { canary: true }),
        },
        runs: selection.runs ?? test.runs,
      })),
    ),
  );
  if (cases.length === 0) {
    throw new ProctorError("USAGE", "the filters leave no test to run\n   loosen the tags or the ids");
  }
  return { suites, cases, differential: selection.transports !== undefined };
}

/** The name of a case in reports. */
export function caseName({ test, agent }: PlannedCase): string {
  return `${test.id} [${agent.label}]`;
}

function parseTags(expression = ""): { include: string[]; exclude: string[] } {
  const tags = expression.split(",").map((tag) => tag.trim());
  return {
    include: tags.filter((tag) => tag !== "" && !tag.startsWith("!")),
    exclude: tags.filter((tag) => tag.startsWith("!")).map((tag) => tag.slice(1).trim()),
  };
}

function agentsOf(suite: Suite, test: SuiteTest, override: readonly string[] = []): PlannedAgent[] {
  const names = override.length > 0 ? override : (test.agents ?? suite.agents.map((agent) => agent.name));
  if (names.length === 0) {
    const next = `declare one under "agents", or give one: --agent "atp+stdio:node agent.js"`;
    throw new ProctorError("USAGE", `${suite.file}  the suite declares no agent\n   ${next}`);
  }
  return names.map((name) => {
    const declared = suite.agents.find((agent) => agent.name === name);
    if (!declared) return { label: withoutCredentials(name), target: name };
    const { name: label, ...target } = declared;
    return { label, target };
  });
}

/** Reports are kept and shared; a password in a URL is not for them. */
function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/@\s]*@/, "//***@");
}

function requireKnown(noun: string, word: string, known: readonly string[]): void {
  if (known.includes(word)) return;
  const similar = suggest(word, known);
  const next =
    similar === undefined ? `see what there is: proctor validate` : `did you mean ${quote(similar)}?`;
  throw new ProctorError(
    "USAGE",
    `no test has the ${noun === "tag" ? "tag" : "id"} ${quote(word)}\n   ${next}`,
  );
}
