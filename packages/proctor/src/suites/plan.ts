// Which cases run: tests × agents, after the filters. How often each runs is part of the case.
import type { AgentSpec } from "../core/agent.ts";
import type { EnvironmentOptions } from "../core/environment.ts";
import type { NewAgent } from "../core/ports/hub.ts";
import { ProctorError } from "../core/errors.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Constraints } from "../core/task.ts";
import { chooseTests, requireTag } from "./choose-tests.ts";
import type { Suite, SuiteTest } from "./suite.ts";

export const ORACLE = "term+builtin:oracle";

interface PlannedAgent {
  /** The agent's name in reports. */
  label: string;
  /** The agent as the hub gets it: the long form, an address or a registered name. */
  target: string | AgentSpec;
}

export interface PlannedCase {
  suite: Suite;
  test: SuiteTest;
  agent: PlannedAgent;
  constraints: Constraints;
  options: RunOptions;
  /** The number of runs at most: a `pass_rate` may be decided earlier. */
  runs: number;
  /** The key that identifies the same case on another day; absent until it is needed. */
  key?: CaseKey;
}

export interface CaseKey {
  /** The hash of what is asked, whichever agent does it. */
  task: string;
  /** The hash of everything that the agent and its run depend on. */
  run: string;
  /** The hash of `run` and of how the run is judged. */
  whole: string;
  /** The hash of what is asked and how it is judged, for any agent and machine. It has only the names of the environment, so that it can be shared. */
  test: string;
}

export interface Plan {
  suites: readonly Suite[];
  cases: readonly PlannedCase[];
  /** Tests that were left out on request because they cannot be run here. */
  skipped?: readonly SkippedTest[];
  /** The agents of a test are one agent over several transports: what comes out must be the same. */
  differential?: boolean;
}

export interface SkippedTest {
  id: string;
  file: string;
  /** Why it cannot be run. */
  reason: string;
}

export interface Selection {
  /** Tags to select by: `a,b` takes tests with one of them, `!c` leaves tests out. */
  tags?: string;
  /** Ids, patterns of ids, or parts of names: see choose-tests.ts. */
  ids?: readonly string[];
  /** Addresses or names that replace the agents of every test. */
  agents?: readonly string[];
  /** Replaces `runs_per_test`. */
  runs?: number;
  /** Replaces the time limit of every test. */
  timeoutSeconds?: number;
  /** Overrides what the suite says for every test. */
  strict?: boolean;
  canary?: boolean;
  /** Overrides parts of what each test says of its environment. */
  environment?: EnvironmentOptions;
  /** One part of `of` parts: every `of`-th case, beginning with case number `part`. */
  shard?: { part: number; of: number };
  /** The only cases to run, by `caseIdentifier`. */
  cases?: ReadonlySet<string>;
  /** Addresses of one agent: every test runs on each, and the results must agree. */
  transports?: readonly string[];
}

/** Throws USAGE when the selection names what is not there, or leaves nothing to run. */
export function createPlan(suites: readonly Suite[], selection: Selection = {}): Plan {
  const tests = suites.flatMap((suite) => suite.tests);
  const tags = parseTags(selection.tags);
  for (const tag of tags.include) requireTag(tag, tests);
  const chosen = selection.ids === undefined ? undefined : chooseTests(tests, selection.ids);

  const isSelected = (test: SuiteTest): boolean =>
    (tags.include.length === 0 || test.tags.some((tag) => tags.include.includes(tag))) &&
    !test.tags.some((tag) => tags.exclude.includes(tag)) &&
    (chosen === undefined || chosen.has(test));

  const { timeoutSeconds } = selection;
  const limit: Constraints = timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds };
  const all = suites.flatMap((suite) =>
    suite.tests.filter(isSelected).flatMap((test) =>
      agentsOf(suite, test, selection.transports ?? selection.agents).map((agent) => ({
        suite,
        test,
        agent,
        constraints: { ...test.constraints, ...limit },
        options: optionsOf(test, agent, selection),
        runs: selection.runs ?? test.gate?.max_runs ?? test.runs,
      })),
    ),
  );
  if (all.length === 0) {
    throw new ProctorError(
      "USAGE",
      "the filters leave no test to run\n   loosen --tag or --only; see what there is: proctor test --list <suite>",
    );
  }
  const cases = partOf(all, selection);
  return { suites, cases, differential: selection.transports !== undefined };
}

function optionsOf(
  test: SuiteTest,
  { target }: PlannedAgent,
  { strict, canary, environment }: Selection,
): RunOptions {
  const own = isOracle(target) ? withSolution(test) : test.options;
  return {
    ...own,
    ...(strict && { strict }),
    ...(canary && { canary }),
    ...(environment && { environment: { ...own?.environment, ...environment } }),
  };
}

/** The options for the built-in agent that knows the solution; each of its commands may take the test's whole time. */
function withSolution({ options, solution, constraints }: SuiteTest): RunOptions {
  const { environment = {}, terminal = {} } = options ?? {};
  const { timeout_seconds: limit } = constraints;
  return {
    ...options,
    // Solutions are written for a machine with a network.
    environment: {
      toolchain: true,
      ...environment,
      files: [...(environment.files ?? []), ...(solution?.files ?? [])],
    },
    terminal: {
      ...terminal,
      script: solution?.commands ?? [],
      ...(limit !== undefined && { command_seconds: limit }),
    },
  };
}

function isOracle(target: string | AgentSpec): boolean {
  if (typeof target === "string") return target === ORACLE;
  const { protocol, transport, command } = target;
  return protocol === "term" && transport === "builtin" && command?.[0] === "oracle";
}

/** The cases of the shard. It may be empty: with ten cases, the eleventh shard of eleven has nothing to do. */
function partOf(all: readonly PlannedCase[], { cases: only, shard }: Selection): PlannedCase[] {
  const chosen = only
    ? all.filter(({ suite, test, agent }) => only.has(caseIdentifier(suite.name, test.id, agent.label)))
    : all;
  return chosen.filter((_, index) => shard === undefined || index % shard.of === shard.part - 1);
}

/** Identifies a case within an invocation, and again in another one. */
export function caseIdentifier(suite: string, testId: string, agent: string): string {
  return JSON.stringify([suite, testId, agent]);
}

/** The name of a case in reports. */
export function caseName({ test, agent }: PlannedCase): string {
  return `${test.id} [${agent.label}]`;
}

/** The name of the test, where it says more than its id. */
export function testTitle({ test }: PlannedCase): string | undefined {
  const id = test.id.replace(/\[.*$/s, "").toLowerCase();
  const name = test.name.trim();
  return name === "" || name.toLowerCase() === id ? undefined : name;
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
    return declared ? plannedAgent(declared) : { label: withoutCredentials(name), target: name };
  });
}

/** One object per agent, however many cases it has. */
const planned = new WeakMap<NewAgent, PlannedAgent>();

function plannedAgent(declared: NewAgent): PlannedAgent {
  const known = planned.get(declared);
  if (known) return known;
  const { name: label, ...target } = declared;
  const made = { label, target };
  planned.set(declared, made);
  return made;
}

/** Reports are kept and shared, so a password in a URL is removed. */
function withoutCredentials(address: string): string {
  return address.replace(/\/\/[^/@\s]*@/, "//***@");
}
