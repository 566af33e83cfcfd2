// Reads a suite file into a suite: defaults applied, agents placed, every check bound and still knowing its line.
import { dirname, resolve } from "node:path";
import type { NewAgent } from "../core/ports/hub.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Constraints, Task } from "../core/task.ts";
import { suggest } from "../core/suggest.ts";
import { placeAgent } from "./agent-entry.ts";
import type { CheckEntry } from "./check-entry.ts";
import { loadPositioned } from "./positioned-yaml.ts";
import { problemsError } from "./problem.ts";
import type { Position, Problem } from "./problem.ts";
import { quote } from "./printable.ts";
import { findDuplicates, findUnknownAgents } from "./relations.ts";
import { suiteSchema } from "./schema.ts";
import {
  findMissingFixtures,
  findMissingTools,
  findTold,
  loadToolFiles,
  surroundingsOf,
  type SuitePlace,
} from "./surroundings.ts";
import type { ConstraintsFile, SuiteFile, TestFile } from "./schema.ts";
import type { Variables } from "./variables.ts";
import type { YamlSource } from "./yaml-source.ts";

export interface Suite {
  /** As it was given, for messages. */
  file: string;
  name: string;
  description?: string;
  agents: NewAgent[];
  tests: SuiteTest[];
}

export interface SuiteTest extends Position {
  id: string;
  name: string;
  description?: string;
  tags: string[];
  task: Task;
  constraints: Constraints;
  /** For the agent's `context.environment`. */
  environment?: Record<string, string>;
  options?: RunOptions;
  /** Names of the suite's agents; absent means all of them. */
  agents?: string[];
  runs: number;
  checks: SuiteCheck[];
}

export interface SuiteCheck extends CheckEntry, Position {}

export interface LoadSuiteOptions {
  /** For `${NAME}` in strings: usually the environment. */
  variables?: Variables;
  /** What the hub can speak, as `protocol+transport`; anything goes when absent. */
  schemes?: readonly string[];
}

export async function loadSuite(file: string, options: LoadSuiteOptions = {}): Promise<Suite> {
  const { value, source } = await loadPositioned(file, suiteSchema, {
    code: "SUITE_INVALID",
    variables: options.variables ?? {},
    relations: (raw) => [
      ...findDuplicates(raw, "agents", "name", "agent"),
      ...findDuplicates(raw, "tests", "id", "test"),
      ...findUnknownAgents(raw),
    ],
  });
  const folder = dirname(resolve(file));
  const problems = [
    ...findUnknownSchemes(value.agents, source, options.schemes),
    ...findTold(value, source),
    ...findMissingFixtures(value, source, folder),
    ...findMissingTools(value, source, folder),
  ];
  if (problems.length > 0) throw problemsError("SUITE_INVALID", problems);
  const tools = await loadToolFiles(value, source, folder, options.variables);
  return {
    file,
    name: value.test_suite,
    ...(value.description && { description: value.description }),
    agents: value.agents.map((agent) => placeAgent(agent, folder)),
    tests: value.tests.map((test, index) => readTest(test, index, value.defaults, source, { folder, tools })),
  };
}

function findUnknownSchemes(
  agents: readonly NewAgent[],
  source: YamlSource,
  schemes?: readonly string[],
): Problem[] {
  return agents.flatMap(({ protocol, transport }, index): Problem[] => {
    const scheme = `${protocol}+${transport}`;
    if (!schemes || schemes.includes(scheme)) return [];
    const similar = suggest(scheme, schemes);
    const hint =
      similar === undefined ? `supported: ${schemes.join(", ")}` : `did you mean ${quote(similar)}?`;
    const position = source.valueAt(["agents", index]);
    return [{ file: source.file, ...position, message: `no protocol speaks ${quote(scheme)}`, hint }];
  });
}

function readTest(
  test: TestFile,
  index: number,
  defaults: SuiteFile["defaults"],
  source: YamlSource,
  place: SuitePlace,
): SuiteTest {
  const { description, input_data, expected_artifacts } = test.task;
  const key = test.checks ? "checks" : "assertions";
  return {
    id: test.id,
    name: test.name,
    ...(test.description && { description: test.description }),
    tags: test.tags,
    task: {
      description,
      ...(input_data && { input_data }),
      ...(expected_artifacts && { expected_artifacts }),
    },
    constraints: {
      ...said({ timeout_seconds: defaults.timeout_seconds }),
      ...said(defaults.constraints),
      ...said(test.constraints),
    },
    ...surroundingsOf(test, defaults, place),
    ...(test.agents && { agents: test.agents }),
    runs: defaults.runs_per_test,
    checks: (test.checks ?? test.assertions ?? []).map((check, place) =>
      Object.assign(check, source.valueAt(["tests", index, key, place])),
    ),
    ...source.valueAt(["tests", index]),
  };
}

/** Only what has a value. */
function said(constraints: ConstraintsFile): Constraints {
  return Object.fromEntries(Object.entries(constraints).filter(([, value]) => value != null));
}
