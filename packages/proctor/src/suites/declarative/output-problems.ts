// One thing that reached the gateway's client, held against what a declarative test expects of it.
import type { JsonObject } from "../../core/json.ts";
import { quote } from "../../core/printable.ts";
import { artifactNamesOf, dataOf, filesOf, objectIn, partsOf, stateOf, textOfParts } from "./event-facts.ts";
import { EVENT_KEYS, type ContentPart, type ExpectedOutput } from "./expected-schema.ts";
import { subsetProblems } from "./match-subset.ts";
import type { ObservedOutput } from "../../core/observation.ts";
import { textProblems } from "./text-matchers.ts";

/** Returns the problems of an output; `stream` is the concatenated text of the status updates before it. */
export function outputProblems(output: ObservedOutput, expected: ExpectedOutput, stream: string): string[] {
  return [
    ...eventProblems(output.event, expected),
    ...contentProblems(output, expected, stream),
    ...stateProblems(output, expected),
    ...artifactProblems(output, expected),
    ...dataProblems(output, expected),
    ...errorProblems(output.event, expected),
  ];
}

/** Returns the problems of a text that stands for a whole stream. */
export function aggregatedProblems(text: string, { content_parts = [] }: ExpectedOutput): string[] {
  return content_parts.flatMap((part) =>
    part.type === "text" ? textProblems(text, part) : ["the text of a stream has no data parts"],
  );
}

function eventProblems(event: JsonObject, expected: ExpectedOutput): string[] {
  const fields: JsonObject = {};
  for (const key of EVENT_KEYS) if (expected[key] !== undefined) fields[key] = expected[key];
  const { metadata_contains: metadata } = expected;
  return [
    ...subsetProblems(event, fields, "event"),
    ...(metadata ? subsetProblems(objectIn(event, "metadata"), metadata, "event.metadata") : []),
  ];
}

function contentProblems(output: ObservedOutput, expected: ExpectedOutput, stream: string): string[] {
  const { content_parts: parts, assert_aggregated_stream_content, assert_content_against_stream } = expected;
  const actual = partsOf(output);
  const text = textOfParts(actual);
  const problems: string[] = [];
  if (parts && assert_aggregated_stream_content)
    problems.push(...aggregatedProblems(`${stream}${text}`, expected));
  else if (parts) problems.push(...partProblems(actual, parts));
  if (assert_content_against_stream && text !== stream)
    problems.push(`the text ${quote(text)} is not the text of the stream, ${quote(stream)}`);
  return problems;
}

/** Text parts are compared as one text, because agents cut texts where they like; data parts one by one. */
function partProblems(actual: readonly JsonObject[], expected: readonly ContentPart[]): string[] {
  const data = dataOf(actual);
  const texts = actual.map((part) => part["text"]).filter((text) => typeof text === "string");
  let nextText = 0;
  let nextData = 0;
  const several = expected.filter(({ type }) => type === "text").length > 1;
  return expected.flatMap((part): string[] => {
    if (part.type === "data") {
      const found = data[nextData++];
      if (!found) return ["there is no data part"];
      return part.data_contains ? subsetProblems(found, part.data_contains, "data") : [];
    }
    if (texts.length === 0) return ["there is no text"];
    const text = several ? texts[nextText++] : texts.join("");
    return text === undefined ? ["there are fewer text parts than expected"] : textProblems(text, part);
  });
}

function stateProblems(
  output: ObservedOutput,
  { task_state: state, final_flag: final }: ExpectedOutput,
): string[] {
  const actual = stateOf(output);
  const isFinal = output.type === "final_response" || output.event["final"] === true;
  return [
    ...(state !== undefined && actual !== state
      ? [`the task is ${quote(actual ?? "in no state")}, not ${quote(state)}`]
      : []),
    ...(final !== undefined && isFinal !== final ? [`it is ${isFinal ? "" : "not "}final`] : []),
  ];
}

function artifactProblems(output: ObservedOutput, expected: ExpectedOutput): string[] {
  const { expected_artifact_name_contains: name, assert_part_is_uri_reference: reference } = expected;
  const { expected_produced_artifacts: produced } = expected;
  const names = artifactNamesOf(output);
  const files = filesOf(output);
  const problems: string[] = [];
  if (name !== undefined && !names.some((one) => one.includes(name)))
    problems.push(
      `no artifact's name contains ${quote(name)}: ${names.map((one) => quote(one)).join(", ") || "there is none"}`,
    );
  if (reference !== undefined) {
    if (files.length === 0) problems.push("there is no file part");
    for (const file of files) {
      const isReference =
        typeof file["uri"] === "string" &&
        file["uri"].startsWith("artifact://") &&
        file["bytes"] === undefined;
      if (isReference !== reference)
        problems.push(`the file part is ${isReference ? "" : "not "}a reference to an artifact`);
    }
  }
  if (produced) {
    const actual = objectIn(output.event, "metadata")["produced_artifacts"];
    problems.push(...subsetProblems(actual, produced, "event.metadata.produced_artifacts"));
  }
  return problems;
}

function dataProblems(output: ObservedOutput, expected: ExpectedOutput): string[] {
  const { expected_tool_name: tool, expected_tool_args_contain: args } = expected;
  const { expected_llm_data_contains: llm, expected_artifact_saved_data_contains: saved } = expected;
  if (tool === undefined && !args && !llm && !saved) return [];
  const [data] = dataOf(partsOf(output));
  if (!data) return ["there is no data part"];
  return [
    ...(tool === undefined ? [] : subsetProblems(data["tool_name"], tool, "data.tool_name")),
    ...(args ? subsetProblems(data["tool_args"], args, "data.tool_args") : []),
    ...(llm ? subsetProblems(data["request"] ?? data["data"] ?? data, llm, "data") : []),
    ...(saved ? subsetProblems(data, saved, "data") : []),
  ];
}

function errorProblems(event: JsonObject, expected: ExpectedOutput): string[] {
  const { error_code: code, error_message_contains: contains, error_message_matches_regex: regex } = expected;
  const { error_data_contains: data } = expected;
  const message = typeof event["message"] === "string" ? event["message"] : "";
  return [
    ...(code === undefined ? [] : subsetProblems(event["code"], code, "error.code")),
    ...textProblems(message, {
      ...(contains !== undefined && { text_contains: contains }),
      ...(regex !== undefined && { text_matches_regex: regex }),
    }),
    ...(data ? subsetProblems(event["data"], data, "error.data") : []),
  ];
}
