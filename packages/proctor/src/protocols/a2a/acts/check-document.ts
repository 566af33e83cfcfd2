// What is wrong in a document of ACTS that its schemas cannot see: steps with the same id, what a test uses and does not declare, names of errors,
// conditions. Pure.
import { didYouMean } from "../../../core/suggest.ts";
import type { Finding } from "../../../runtime/yaml/findings.ts";
import type { Path } from "../../../runtime/yaml/yaml-locate.ts";
import { checkNamedAssertion, checkPath, checkTree, checked, finding } from "./check-assertions.ts";
import { checkDocumentVariables, checkTestVariables, RUNNER_VARIABLES } from "./check-variables.ts";
import { ERROR_TYPES } from "./error-types.ts";
import { isStreaming } from "./operations.ts";
import type { ActsDocument, ActsTest, RunnerRequirement } from "./schema.ts";
import type { ActsStep, ExpectError, ExpectStream } from "./step-schema.ts";
import { parseUntil } from "./until.ts";

/** `inherited` are the variables of the documents that include this one. */
export function checkDocument(
  { suites = [], include, variables = {} }: ActsDocument,
  inherited: Readonly<Record<string, string>>,
): Finding[] {
  const names = new Set([...Object.keys({ ...inherited, ...variables }), ...RUNNER_VARIABLES]);
  const empty = suites.length === 0 && include === undefined;
  return [
    ...(empty ? [finding([], "a document has suites, or includes files that have")] : []),
    ...checkDocumentVariables(variables, inherited),
    ...suites.flatMap(({ tests }, suite) =>
      tests.flatMap((test, index) => {
        const path = ["suites", suite, "tests", index];
        return [...checkTest(test, path), ...checkTestVariables(test, names, path)];
      }),
    ),
  ];
}

function checkTest(test: ActsTest, path: Path): Finding[] {
  const { steps, transport, runner_requirements: declared = [] } = test;
  const hasRaw = steps.some(({ kind }) => kind === "raw");
  const ids = steps.map(({ id }) => id);
  return [
    ...steps.flatMap((step, index) => checkStep(step, [...path, "steps", index])),
    ...ids.flatMap((id, index) =>
      ids.indexOf(id) === index
        ? []
        : [finding([...path, "steps", index, "id"], `another step of this test has the id ${id}`)],
    ),
    ...(steps.every(({ kind }) => kind === "raw") && transport === undefined
      ? [finding(path, "a test of raw steps alone names its transport", "transport: [jsonrpc]")]
      : []),
    ...(hasRaw && transport?.includes("grpc") === true
      ? [finding([...path, "transport"], "a raw step cannot be sent over gRPC")]
      : []),
    ...[...requirementsOf(steps)]
      .filter((needed) => !declared.includes(needed))
      .map((needed) => finding(path, `this test needs runner_requirements: [${needed}]`)),
    ...(test.assertions ?? []).flatMap((each, index) =>
      checkNamedAssertion(each, [...path, "assertions", index]),
    ),
  ];
}

function requirementsOf(steps: readonly ActsStep[]): Set<RunnerRequirement> {
  const needed = new Set<RunnerRequirement>();
  for (const step of steps) {
    if (step.kind === "webhook") needed.add("webhook_endpoint");
    const { streams, disconnect_after: left } = ("expect_stream" in step ? step.expect_stream : {}) ?? {};
    if (streams !== undefined) needed.add("concurrent_streams");
    const isLeft = Array.isArray(streams) && streams.some((each) => each.disconnect_after !== undefined);
    if (left !== undefined || isLeft) needed.add("stream_disconnect");
  }
  return needed;
}

function checkStep(step: ActsStep, path: Path): Finding[] {
  const named = (step.assertions ?? []).flatMap((each, index) =>
    checkNamedAssertion(each, [...path, "assertions", index]),
  );
  switch (step.kind) {
    case "operation":
    case "raw":
      return [...checkAnswered(step, path), ...named];
    case "client":
      return [...checkTree(step.expect_parsed, [...path, "expect_parsed"]), ...named];
    case "webhook":
      return [...checkTree(step.expect_webhook, [...path, "expect_webhook"]), ...named];
    case "assertion":
      return [...checkNamedAssertion(step.assertion, [...path, "assertion"]), ...named];
  }
}

function checkAnswered(step: Extract<ActsStep, { kind: "operation" | "raw" }>, path: Path): Finding[] {
  const { expect, expect_error: error, expect_stream: stream, capture = {} } = step;
  const isRefused = error !== undefined;
  const wrong: Finding[] = [];
  if (isRefused && (expect?.body !== undefined || stream !== undefined))
    wrong.push(finding([...path, "expect_error"], "a step expects either an answer or an error"));
  if (step.kind === "operation") {
    const { operation, repeat } = step;
    if (stream !== undefined && !isStreaming(operation))
      wrong.push(finding([...path, "expect_stream"], `${operation} has no stream`));
    if (isStreaming(operation) && expect?.body !== undefined)
      wrong.push(finding([...path, "expect", "body"], `${operation} is answered with a stream`));
    if (repeat && isStreaming(operation))
      wrong.push(finding([...path, "repeat"], "a stream is not repeated"));
    if (repeat && !repeat.until.includes("{{"))
      wrong.push(...checked(() => parseUntil(repeat.until), [...path, "repeat", "until"]));
  }
  return [
    ...wrong,
    ...(expect ? checkTree({ ...expect }, [...path, "expect"]) : []),
    ...(error ? checkError(error, [...path, "expect_error"]) : []),
    ...checkStreamTrees(stream, [...path, "expect_stream"]),
    ...Object.entries(capture).flatMap(([name, from]) => checkPath(from, [...path, "capture", name])),
  ];
}

function checkStreamTrees(stream: ExpectStream | undefined, path: Path): Finding[] {
  const { events = [], final_event: last, each_event: each } = stream ?? {};
  return [
    ...events.flatMap((event, index) => checkTree(event, [...path, "events", index])),
    ...(last ? checkTree(last, [...path, "final_event"]) : []),
    ...(each ? checkTree(each, [...path, "each_event"]) : []),
  ];
}

function checkError(error: ExpectError, path: Path): Finding[] {
  const { error_type: type } = error;
  const isUnknown = typeof type === "string" && !type.includes("{{") && !ERROR_TYPES.includes(type);
  const unknown = `there is no error ${JSON.stringify(type)}`;
  return [
    ...(isUnknown ? [finding([...path, "error_type"], unknown, didYouMean(type, ERROR_TYPES))] : []),
    ...checkTree({ ...error }, path),
  ];
}
