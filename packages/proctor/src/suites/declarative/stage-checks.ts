// The checks of a declarative test: each key that expects something is one check on what the stage observed.
import type { Json } from "../../core/json.ts";
import type { CheckSubject, Evaluate } from "../check.ts";
import { judgeJson } from "../json/artifact-json.ts";
import type { SuiteCheck } from "../suite.ts";
import { fail, pass, unevaluated, type Verdict } from "../verdict.ts";
import { artifactProblems, stateProblems } from "./artifact-problems.ts";
import { authProblems, cancellationProblems, requestProblems, tokenProblems } from "./downstream-problems.ts";
import { followOutputs } from "./follow-outputs.ts";
import { modelProblems } from "./model-problems.ts";
import { OBSERVATION, type Observation } from "../../core/observation.ts";
import type { DeclarativeTest } from "./schema.ts";

type PlaceOf = (key: keyof DeclarativeTest) => Pick<SuiteCheck, "file" | "line" | "col">;
type FindProblems = (observation: Observation) => string[];

/** Returns a row for each key that a test may use, with whether this test uses it. */
function rows(test: DeclarativeTest): [key: keyof DeclarativeTest, used: boolean, find: FindProblems][] {
  const { expected_gateway_output: outputs, skip_intermediate_events: skip, llm_interactions } = test;
  const states = outputs.flatMap((output) => output.assert_artifact_state ?? []);
  const { assert_cancellation_sent: cancellation } = test;
  return [
    [
      "expected_gateway_output",
      outputs.length > 0,
      (seen) => [
        ...followOutputs(seen.outputs, outputs, { skip }),
        ...states.flatMap((state) => stateProblems(seen.artifacts, state)),
      ],
    ],
    [
      "expected_artifacts",
      test.expected_artifacts.length > 0,
      (seen) => test.expected_artifacts.flatMap((one) => artifactProblems(seen.artifacts, one)),
    ],
    [
      "assert_downstream_request",
      test.assert_downstream_request.length > 0,
      (seen) => requestProblems(seen.requests, test.assert_downstream_request),
    ],
    [
      "assert_downstream_auth",
      test.assert_downstream_auth.length > 0,
      (seen) => test.assert_downstream_auth.flatMap((one) => authProblems(seen.requests, one)),
    ],
    [
      "assert_oauth_token_requests",
      test.assert_oauth_token_requests.length > 0,
      (seen) => test.assert_oauth_token_requests.flatMap((one) => tokenProblems(seen.token_requests, one)),
    ],
    [
      "assert_cancellation_sent",
      cancellation !== undefined,
      (seen) => cancellationProblems(seen.cancellation, cancellation ?? {}),
    ],
    ["llm_interactions", true, (seen) => modelProblems(seen.model_calls, llm_interactions)],
  ];
}

export function stageChecks(test: DeclarativeTest, placeOf: PlaceOf): SuiteCheck[] {
  return rows(test)
    .filter(([, used]) => used)
    .map(([key, , find]) => ({
      ...placeOf(key),
      type: key,
      critical: false,
      weight: 1,
      // A check of the schema's own output.
      config: JSON.parse(JSON.stringify(test[key] ?? null)) as Json,
      needsWorkspace: false,
      judgesAnyEnd: true,
      evaluate: evaluate(key, find),
    }));
}

function evaluate(key: string, find: FindProblems): Evaluate {
  return async (subject) => {
    try {
      return await judge(subject, key, find);
    } catch (error) {
      return unevaluated(`could not be evaluated: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

async function judge(subject: CheckSubject, key: string, find: FindProblems): Promise<Verdict> {
  if (
    !subject.run.artifacts.some((artifact) => artifact.type === "structured" && artifact.name === OBSERVATION)
  )
    return unevaluated("the run has no observation: only a stage can play a declarative test");
  return judgeJson(subject, OBSERVATION, (value) => {
    // A stage writes nothing else under this name.
    const problems = find(value as unknown as Observation);
    return problems.length === 0 ? pass(`${key} is as expected`) : fail(problems.join("\n"));
  });
}
