// What ACTS' own report says about a test, by binding (its section 13.3), and about the agent. conformance/reports/acts.ts makes the report of it. Pure.
import type { JsonObject } from "../../../core/json.ts";
import type { AgentCard } from "../model.ts";
import type { ActsPass } from "./preconditions.ts";
import type { ActsSuites, LoadedSuite, LoadedTest } from "./read-acts.ts";
import type { TestRun } from "./run-test.ts";
import type { Transport } from "./schema.ts";
import type { Verdict } from "./verdict.ts";

export function headRecord(acts: ActsSuites, card: AgentCard | undefined): JsonObject {
  const { name = "", version = "" } = card ?? {};
  return { acts_version: acts.actsVersion, spec_version: acts.specVersion, agent: { name, version } };
}

/** An agent that was configured for a pass gives results that are not those of its usual configuration: they say so. */
export function testRecord(
  { id, name, level }: LoadedTest,
  suite: LoadedSuite,
  runs: ReadonlyMap<Transport, TestRun>,
  profile: ActsPass | undefined,
): JsonObject {
  const configuration = profile === undefined || profile === "main" ? {} : { configuration: profile };
  return {
    suite: { id: suite.id, name: suite.name },
    id,
    name,
    level,
    runs: Object.fromEntries(
      [...runs].map(([transport, run]) => [transport, { ...runRecord(run), ...configuration }]),
    ),
  };
}

function runRecord({ verdict, stepId, steps, durationMs }: TestRun): JsonObject {
  return {
    result: verdict.result,
    duration_ms: Math.round(durationMs),
    ...(verdict.result === "skip" && { skip_reason: verdict.message ?? "" }),
    ...failureRecord(verdict, stepId),
    ...(steps.length > 0 && {
      steps: steps.map((step) => ({
        id: step.id,
        result: step.verdict.result,
        duration_ms: Math.round(step.durationMs),
        ...failureRecord(step.verdict, step.id),
      })),
    }),
  };
}

function failureRecord(verdict: Verdict, stepId: string | undefined): JsonObject {
  const { result, message = "", expected, actual, path } = verdict;
  if (result !== "fail" && result !== "error") return {};
  return {
    failure: {
      message,
      ...(stepId !== undefined && { step_id: stepId }),
      ...(expected !== undefined && { expected }),
      ...(actual !== undefined && { actual }),
      ...(path !== undefined && path !== "" && { assertion_path: path }),
    },
  };
}
