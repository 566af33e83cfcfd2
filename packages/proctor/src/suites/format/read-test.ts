// One test as it is run: defaults applied, its own word before theirs.
import { given } from "../../core/given.ts";
import type { LlmScript } from "../../core/llm-script.ts";
import type { LabSet } from "../../core/labs.ts";
import type { ToolSet } from "../../core/tools.ts";
import { DEFAULT_SCORING, type SuiteCaseCheck, type SuiteCheck, type SuiteTest } from "../suite.ts";
import { inside, type Spot } from "./context.ts";
import type { Defaults } from "./defaults.ts";
import type { Choice } from "./parameters.ts";
import { placeChecks, type PlacedCheck } from "./place-checks.ts";
import { comparisonSchema, gateOf } from "./run-rules.ts";
import { readTurns, readUser } from "./read-turns.ts";
import type { TestFile } from "./schema.ts";
import { solutionOf, surroundingsOf } from "./surroundings.ts";

export interface ReadTestOptions {
  test: TestFile;
  defaults: Defaults;
  tools: ToolSet | undefined;
  labs: LabSet | undefined;
  /** The script that plays the test's user. */
  script: LlmScript | undefined;
  spot: Spot;
  choice?: Choice;
}

export function readTest({ test, defaults, tools, labs, script, spot, choice }: ReadTestOptions): SuiteTest {
  const { file, line, col } = spot.source.place(spot.path);
  const { folder } = spot.source;
  const turns = test.turns && readTurns(test, spot);
  const user = readUser(test, script, spot);
  // Without a task, the first thing said stands for it; what a simulated user will say is not known yet.
  const {
    input_data,
    expected_artifacts,
    description = turns?.[0]?.say ?? user?.goal ?? "",
  } = test.task ?? {};
  const under = defaults.file;
  const key = test.checks ? "checks" : "assertions";
  const checks = [...defaults.checks, ...placeChecks(test.checks ?? test.assertions, inside(spot, key))].map(
    (check) => bound(check, folder),
  );
  const said = test.runs_per_test ?? under.runs_per_test;
  const passRate = test.pass_rate ?? under.pass_rate;
  const gate = passRate && gateOf(passRate, said);
  const concurrency = test.concurrency ?? under.concurrency;
  const threshold = test.threshold ?? under.threshold;
  const agents = test.agents ?? under.agents;
  const solution = solutionOf(test, defaults, folder);
  return {
    id: test.id,
    name: test.name,
    ...(test.description && { description: test.description }),
    tags: [...new Set([...under.tags, ...test.tags])],
    task: {
      description,
      ...(input_data && { input_data }),
      ...(expected_artifacts && { expected_artifacts }),
    },
    constraints: {
      ...given({ timeout_seconds: under.timeout_seconds }),
      ...given(under.constraints),
      ...given(test.constraints),
    },
    ...surroundingsOf(test, defaults, folder, { tools, labs }),
    ...(turns && { turns }),
    ...(user && { user }),
    ...(solution && { solution }),
    ...(agents && { agents }),
    runs: gate ? gate.max_runs : (said ?? 1),
    ...(concurrency !== undefined && { concurrency }),
    checks: checks.filter((check) => "evaluate" in check),
    caseChecks: checks.filter((check) => "judge" in check),
    ...(gate && { gate }),
    ...(threshold !== undefined && { threshold }),
    scoring: test.scoring ?? under.scoring ?? DEFAULT_SCORING,
    ...(test.mode && { contest: test.comparison_config ?? comparisonSchema.parse({}) }),
    ...(choice && { parameters: choice.values }),
    folder,
    file,
    line,
    col,
  };
}

/** Relative paths in a check start in the folder of the file it stands in, which may not be the test's. */
function bound({ entry, place, folder }: PlacedCheck, testFolder: string): SuiteCheck | SuiteCaseCheck {
  if ("judge" in entry) return { ...entry, ...place };
  const { evaluate } = entry;
  if (folder === testFolder) return { ...entry, ...place };
  return { ...entry, ...place, evaluate: (subject) => evaluate({ ...subject, folder }) };
}
