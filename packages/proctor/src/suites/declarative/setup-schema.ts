// The keys of a declarative test that set its stage: artifacts that are there, what the downstream agent answers, credentials, the model.
import { z } from "zod";
import { refused } from "../../runtime/yaml/findings.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { jsonMapping } from "./json-mapping.ts";

const name = z.string().min(1);
const headerList = z.array(z.strictObject({ name, value: z.string() }));

export const artifactEntry = z
  .strictObject({
    filename: name,
    mime_type: name.default("application/octet-stream"),
    content: z.string().exactOptional(),
    content_base64: z.base64().exactOptional(),
    metadata: jsonMapping.default({}),
    /** Name of the app; the target agent's name when absent. */
    app_name: name.exactOptional(),
    /** Id of the user; the one of the input when absent. */
    user_id: name.exactOptional(),
    /** Id of the session; the one of the input when absent. */
    session_id: name.exactOptional(),
  })
  .refine(({ content, content_base64 }) => (content === undefined) !== (content_base64 === undefined), {
    message: `an artifact has either "content" or "content_base64"`,
  });

const textPart = z.strictObject({ type: z.literal("text").default("text"), text: z.string() });
const filePart = z
  .strictObject({
    type: z.literal("file"),
    filename: name.exactOptional(),
    name: name.exactOptional(),
    mime_type: name.exactOptional(),
    content_base64: z.base64().exactOptional(),
    uri: name.exactOptional(),
  })
  .refine(({ content_base64, uri }) => (content_base64 === undefined) !== (uri === undefined), {
    message: `a file has either "content_base64" or "uri"`,
  });
const parts = z.array(z.union([textPart, filePart])).min(1);

export const gatewayInput = z
  .strictObject({
    target_agent_name: name,
    user_identity: name.default("anonymous"),
    is_streaming: z.boolean().default(true),
    parts: parts.exactOptional(),
    a2a_parts: parts.exactOptional(),
    prompt: z.strictObject({ parts }).exactOptional(),
    external_context: jsonMapping.default({}),
  })
  .refine((input) => [input.parts, input.a2a_parts, input.prompt].filter(Boolean).length === 1, {
    message: `the input has exactly one of "parts", "a2a_parts" and "prompt"`,
  });

export const gatewayAction = z.strictObject({
  type: z.literal("cancel_task"),
  delay_seconds: z.number().min(0).default(0),
});

export const downstreamAuth = z.strictObject({
  enabled: z.boolean().default(true),
  type: z.enum(["bearer", "apikey"]).default("bearer"),
  expected_value: z.string(),
  should_fail_once: z.boolean().default(false),
});

export const downstreamHttpError = z.strictObject({
  status_code: z.int().min(300).max(599),
  error_body: json.default(null),
});

const tokenAnswer = z.strictObject({
  access_token: name.exactOptional(),
  expires_in: z.number().exactOptional(),
  error: z.union([z.string(), jsonMapping]).exactOptional(),
  status_code: z.int().min(200).max(599).exactOptional(),
});
export const oauthServer = tokenAnswer.extend({
  token_url: z.url(),
  /** The answers one after the other; the last one is repeated. */
  response_sequence: z.array(tokenAnswer).min(1).exactOptional(),
});

const authentication = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("static_bearer"), token: name }),
  z.strictObject({ type: z.literal("static_apikey"), token: name, header: name.default("X-API-Key") }),
  z.strictObject({
    type: z.literal("oauth2_client_credentials"),
    token_url: z.url(),
    client_id: name,
    client_secret: name,
    scope: z.string().exactOptional(),
    token_cache_duration_seconds: z.number().min(0).exactOptional(),
  }),
]);

export const proxyAuth = z.strictObject({
  agent_name: name,
  authentication: authentication.exactOptional(),
  use_auth_for_agent_card: z.boolean().default(false),
  use_agent_card_url: z.boolean().default(true),
  agent_card_headers: headerList.default([]),
  task_headers: headerList.default([]),
});

export const proxyOverride = z.strictObject({ agent_name: name, url: z.url() });

/** Keys for parts of the origin that Proctor does not have. */
export const REFUSED = {
  http_request_input: refused(
    `"http_request_input" drives the origin's web interface, which is not part of a gateway`,
    `use "gateway_input"`,
  ),
  expected_http_responses: refused(
    `"expected_http_responses" asks the origin's web interface, which is not part of a gateway`,
    `use "expected_gateway_output"`,
  ),
  setup_tasks: refused(
    `"setup_tasks" fills the origin's own database`,
    "start with a task of the gateway instead",
  ),
  setup_projects: refused(`"setup_projects" fills the origin's own database`),
  primed_image_generation_responses: refused(
    `"primed_image_generation_responses" primes a tool of the origin`,
    "proctor mock llm answers models; proctor mock tools answers tools",
  ),
  test_runner_config_overrides: refused(
    `"test_runner_config_overrides" configures the origin's own agent`,
    `configure the gateway with "proxy_auth_config" and "proxy_config_override"`,
  ),
  gateway_actions: refused(
    `"gateway_actions" is the name in the origin's guide, which its runner does not know`,
    `write "gateway_actions_after_input"`,
  ),
  expected_cancellation: refused(
    `"expected_cancellation" is the name in the origin's guide, which its runner does not know`,
    `write "assert_cancellation_sent"`,
  ),
  monkeypatch_spec: refused(
    `"monkeypatch_spec" replaces functions of a Python program`,
    "faults of a scripted agent do this from outside: proctor docs scripted-agent",
  ),
} as const;
