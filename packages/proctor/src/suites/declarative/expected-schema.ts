// The keys of a declarative test that say what is expected: at the gateway's client, in the artifact service, of the model, downstream.
import { z } from "zod";
import { json } from "../../runtime/yaml/scalars.ts";
import { jsonMapping } from "./json-mapping.ts";
import { patternText, TEXT_MATCHERS } from "./text-matchers.ts";

const name = z.string().min(1);
const texts = z.union([z.string(), z.array(z.string()).min(1)]);
const versionOrLatest = z.union([z.int().min(0), z.literal("latest")]);

/** Names one artifact; each says the same of the file name in two ways. */
const whichArtifact = {
  filename: name.exactOptional(),
  filename_matches_regex: patternText.exactOptional(),
  version: versionOrLatest.default("latest"),
  app_name: name.exactOptional(),
  user_id: name.exactOptional(),
  session_id: name.exactOptional(),
} as const;
const NEEDS_NAME = { message: `an artifact is named by "filename" or by "filename_matches_regex"` };

function isNamed(entry: { filename?: string; filename_matches_regex?: string }): boolean {
  return (entry.filename === undefined) !== (entry.filename_matches_regex === undefined);
}

export const expectedArtifact = z
  .strictObject({
    ...whichArtifact,
    mime_type: name.exactOptional(),
    content_contains: texts.exactOptional(),
    text_exact: z.string().exactOptional(),
    content_base64_exact: z.base64().exactOptional(),
    metadata_contains: jsonMapping.exactOptional(),
  })
  .refine(isNamed, NEEDS_NAME);
export type ExpectedArtifact = z.output<typeof expectedArtifact>;

export const artifactState = z
  .strictObject({
    ...whichArtifact,
    /** `user` for artifacts that all sessions of a user share. */
    namespace: z.enum(["session", "user"]).exactOptional(),
    expected_content_text: z.string().exactOptional(),
    expected_content_bytes_base64: z.base64().exactOptional(),
    expected_metadata_contains: jsonMapping.exactOptional(),
    assert_metadata_schema_key_count: z.int().min(0).exactOptional(),
  })
  .refine(isNamed, NEEDS_NAME);
export type ArtifactState = z.output<typeof artifactState>;

const contentPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), ...TEXT_MATCHERS }),
  z.strictObject({ type: z.literal("data"), data_contains: jsonMapping.exactOptional() }),
]);
export type ContentPart = z.output<typeof contentPart>;

/** Fields of the event itself, compared as a subset; `*` stands for any value. */
const EVENT_FIELDS = {
  kind: json.exactOptional(),
  id: json.exactOptional(),
  id_matches_regex: patternText.exactOptional(),
  taskId: json.exactOptional(),
  contextId: json.exactOptional(),
  contextId_matches_regex: patternText.exactOptional(),
  status: jsonMapping.exactOptional(),
  artifact: jsonMapping.exactOptional(),
  artifacts: z.array(jsonMapping).exactOptional(),
  history: z.array(jsonMapping).exactOptional(),
  metadata: jsonMapping.exactOptional(),
  append: z.boolean().exactOptional(),
  lastChunk: z.boolean().exactOptional(),
} as const;
export const EVENT_KEYS = Object.keys(EVENT_FIELDS) as (keyof typeof EVENT_FIELDS)[];

export const expectedOutput = z.strictObject({
  type: z.enum(["status_update", "artifact_update", "final_response", "error", "aggregated_text_content"]),
  ...EVENT_FIELDS,
  event_purpose: name.exactOptional(),
  content_parts: z.array(contentPart).exactOptional(),
  final_flag: z.boolean().exactOptional(),
  task_state: name.exactOptional(),
  /** True when the expected parts apply to all text of the stream together. */
  assert_aggregated_stream_content: z.boolean().default(false),
  /** True when the text of the final response has to be that of the stream. */
  assert_content_against_stream: z.boolean().default(false),
  assert_part_is_uri_reference: z.boolean().exactOptional(),
  expected_tool_name: name.exactOptional(),
  expected_tool_args_contain: jsonMapping.exactOptional(),
  expected_llm_data_contains: jsonMapping.exactOptional(),
  expected_artifact_saved_data_contains: jsonMapping.exactOptional(),
  expected_artifact_name_contains: name.exactOptional(),
  expected_produced_artifacts: z.array(jsonMapping).exactOptional(),
  metadata_contains: jsonMapping.exactOptional(),
  error_code: z.int().exactOptional(),
  error_message_contains: texts.exactOptional(),
  error_message_matches_regex: patternText.exactOptional(),
  error_data_contains: jsonMapping.exactOptional(),
  assert_artifact_state: z.array(artifactState).exactOptional(),
});
export type ExpectedOutput = z.output<typeof expectedOutput>;

const toolResponse = z.strictObject({
  tool_name: name.exactOptional(),
  /** Number of the earlier interaction, from 0, whose call the response answers. */
  tool_call_id_matches_prior_request_index: z.int().min(0).exactOptional(),
  response_contains: texts.exactOptional(),
  response_exact_match: z.string().exactOptional(),
  response_json_matches: json.exactOptional(),
  response_contains_artifact_summary_for: json.exactOptional(),
});
export type ExpectedToolResponse = z.output<typeof toolResponse>;

export const modelInteraction = z.strictObject({
  step_id: name.exactOptional(),
  /** A chat completion in the form of OpenAI's API. */
  static_response: jsonMapping,
  expected_request: z
    .strictObject({
      tools_present: z.array(name).exactOptional(),
      tools_not_present: z.array(name).exactOptional(),
      assert_tools_exact: z.array(name).exactOptional(),
      expected_tool_declarations_contain: z.array(jsonMapping).exactOptional(),
      prompt_contains: texts.exactOptional(),
      prompt_contains_artifact_summary_for: json.exactOptional(),
      expected_tool_responses_in_llm_messages: z.array(toolResponse).exactOptional(),
    })
    .exactOptional(),
});
export type ModelInteraction = z.output<typeof modelInteraction>;

const headerMatch = z.strictObject({
  exact: z.string().exactOptional(),
  starts_with: z.string().exactOptional(),
  contains: z.string().exactOptional(),
});
export const downstreamAuthCheck = z.strictObject({
  request_index: z.int().min(0),
  authorization_header: headerMatch.exactOptional(),
  api_key_header: z.string().exactOptional(),
});
export type DownstreamAuthCheck = z.output<typeof downstreamAuthCheck>;

export const tokenRequestCheck = z.strictObject({
  token_url: z.url(),
  call_count: z.int().min(0).exactOptional(),
  request_body_contains: jsonMapping.exactOptional(),
});
export type TokenRequestCheck = z.output<typeof tokenRequestCheck>;

export const cancellationCheck = z.strictObject({
  gateway_sent: z.boolean().exactOptional(),
  downstream_received: z.boolean().exactOptional(),
  /** Id of the task; `*` for any. */
  downstream_task_id: name.exactOptional(),
});
export type CancellationCheck = z.output<typeof cancellationCheck>;
