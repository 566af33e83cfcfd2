// The requests that reached the mock model, held against the interactions of a declarative test.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseJson } from "../json/parse-json.ts";
import type { ExpectedToolResponse, ModelInteraction } from "./expected-schema.ts";
import { subsetProblems } from "./match-subset.ts";
import type { ObservedModelCall } from "../../core/observation.ts";
import { shown } from "../texts/words.ts";
import { textProblems } from "./text-matchers.ts";

/** Returns problems unless every interaction is used, in order, and no call is left over. */
export function modelProblems(
  calls: readonly ObservedModelCall[],
  interactions: readonly ModelInteraction[],
): string[] {
  const problems: string[] = [];
  if (calls.length !== interactions.length)
    problems.push(
      `the model was called ${calls.length} times, and ${interactions.length} interactions are written`,
    );
  for (const [index, interaction] of interactions.entries()) {
    const call = calls.find((one) => one.interaction === index);
    if (!call) continue;
    const name = interaction.step_id ?? `llm_interactions[${index}]`;
    problems.push(
      ...requestProblems(call.request, interaction, interactions).map((problem) => `${name}: ${problem}`),
    );
  }
  return problems;
}

function requestProblems(
  request: JsonObject,
  { expected_request: expected }: ModelInteraction,
  all: readonly ModelInteraction[],
): string[] {
  if (!expected) return [];
  const tools = declaredTools(request);
  const names = tools.map(({ name }) => nameIn(name));
  const listed = names.join(", ") || "none";
  const { tools_present = [], tools_not_present = [], assert_tools_exact: exact } = expected;
  const { expected_tool_declarations_contain: declared = [], prompt_contains: prompt } = expected;
  const { prompt_contains_artifact_summary_for: summary } = expected;
  const { expected_tool_responses_in_llm_messages: responses = [] } = expected;
  const text = messagesOf(request).map(contentOf).join("\n");
  return [
    ...tools_present
      .filter((name) => !names.includes(name))
      .map((name) => `the tool ${name} is not offered; ${listed}`),
    ...tools_not_present.filter((name) => names.includes(name)).map((name) => `the tool ${name} is offered`),
    ...(exact && [...exact].sort().join() !== [...names].sort().join()
      ? [`the tools are ${listed}, not ${exact.join(", ")}`]
      : []),
    ...declared.flatMap((wanted) =>
      tools.some((tool) => subsetProblems(tool, wanted, "").length === 0)
        ? []
        : [`no tool is declared as ${JSON.stringify(wanted)}; ${listed}`],
    ),
    ...(prompt === undefined ? [] : textProblems(text, { text_contains: prompt })),
    ...(summary === undefined ? [] : summaryProblems(text, summary)),
    ...responses.flatMap((wanted) => responseProblems(messagesOf(request), wanted, all)),
  ];
}

/** Returns problems unless some response of a tool in the chat is as expected. */
function responseProblems(
  messages: readonly JsonObject[],
  expected: ExpectedToolResponse,
  all: readonly ModelInteraction[],
): string[] {
  const given = messages.filter(({ role }) => role === "tool");
  const best = given
    .map((message) => oneResponse(message, expected, { messages, all }))
    .sort((a, b) => a.length - b.length)[0];
  return best ?? ["the chat has no response of a tool"];
}

interface Chat {
  messages: readonly JsonObject[];
  all: readonly ModelInteraction[];
}

function oneResponse(message: JsonObject, expected: ExpectedToolResponse, { messages, all }: Chat): string[] {
  const { tool_name: name, tool_call_id_matches_prior_request_index: prior, response_contains } = expected;
  const { response_exact_match: exact, response_json_matches: json } = expected;
  const { response_contains_artifact_summary_for: summary } = expected;
  const text = contentOf(message);
  const id = message["tool_call_id"];
  const called = callsIn(messages).find((call) => call.id === id)?.name ?? message["name"];
  const written = prior === undefined ? [] : callsIn(replyOf(all[prior]));
  return [
    ...(name !== undefined && called !== name
      ? [`a response of ${shown(called ?? null)} came, not of ${name}`]
      : []),
    ...(prior !== undefined && !written.some((call) => call.id === id)
      ? [`the response answers the call ${shown(id ?? null)}, which interaction ${prior} did not make`]
      : []),
    ...textProblems(text, {
      ...(response_contains !== undefined && { text_contains: response_contains }),
      ...(exact !== undefined && { text_exact: exact }),
    }),
    ...(json === undefined ? [] : subsetProblems(parseJson(text), json, "the response")),
    ...(summary === undefined ? [] : summaryProblems(text, summary)),
  ];
}

/** Returns problems unless a summary names the artifact, and its version where one is expected. */
function summaryProblems(text: string, summary: Json): string[] {
  const wanted = (Array.isArray(summary) ? summary : [summary]).flatMap((one) =>
    isJsonObject(one) ? Object.values(one).map(nameIn) : [nameIn(one)],
  );
  return textProblems(text, { text_contains: wanted });
}

function declaredTools(request: JsonObject): JsonObject[] {
  return objectsIn(request["tools"]).map((tool) =>
    isJsonObject(tool["function"]) ? tool["function"] : tool,
  );
}

function messagesOf(request: JsonObject): JsonObject[] {
  return objectsIn(request["messages"]);
}

function replyOf(interaction: ModelInteraction | undefined): JsonObject[] {
  return objectsIn(interaction?.static_response["choices"]).map(({ message }) =>
    isJsonObject(message) ? message : {},
  );
}

function callsIn(messages: readonly JsonObject[]): { id: Json | undefined; name: Json | undefined }[] {
  return messages
    .flatMap((message) => objectsIn(message["tool_calls"]))
    .map(({ id, function: called }) => ({ id, name: isJsonObject(called) ? called["name"] : undefined }));
}

function contentOf({ content }: JsonObject): string {
  if (typeof content === "string") return content;
  return objectsIn(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}

function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function nameIn(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
