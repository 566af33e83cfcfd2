// The format of a declarative test: document 001, section 6, and the keys of the origin's files. Every key is either known or refused;
// none is ignored.
import { z } from "zod";
import type { StageScript } from "../../core/stage-script.ts";
import {
  cancellationCheck,
  downstreamAuthCheck,
  expectedArtifact,
  expectedOutput,
  modelInteraction,
  tokenRequestCheck,
} from "./expected-schema.ts";
import { jsonMapping } from "./json-mapping.ts";
import {
  artifactEntry,
  downstreamAuth,
  downstreamHttpError,
  gatewayAction,
  gatewayInput,
  oauthServer,
  proxyAuth,
  proxyOverride,
  REFUSED,
} from "./setup-schema.ts";

/** Keys that say how the test is played, which a stage gets. */
const STAGE = {
  gateway_input: gatewayInput,
  gateway_actions_after_input: z.array(gatewayAction).default([]),
  setup_artifacts: z.array(artifactEntry).default([]),
  /** Address of an agent that replaces the scripted one; `{{LLM_SERVER_URL}}` in it is the model of the test. */
  downstream_agent: z.string().min(1).exactOptional(),
  /** The events of one turn, in A2A 0.3; several turns come by directives. */
  downstream_a2a_agent_responses: z.array(jsonMapping).exactOptional(),
  downstream_agent_auth: downstreamAuth.exactOptional(),
  downstream_http_error: downstreamHttpError.exactOptional(),
  mock_oauth_server: oauthServer.exactOptional(),
  proxy_config_override: proxyOverride.exactOptional(),
  proxy_auth_config: proxyAuth.exactOptional(),
  llm_interactions: z.array(modelInteraction).default([]),
} as const;

/** Keys that say what is expected. */
const EXPECTED = {
  skip_intermediate_events: z.boolean().default(false),
  expected_gateway_output: z.array(expectedOutput).default([]),
  expected_artifacts: z.array(expectedArtifact).default([]),
  /** Expected requests in the form of A2A 0.3, compared as subsets, in order. */
  assert_downstream_request: z.array(jsonMapping).default([]),
  assert_downstream_auth: z.array(downstreamAuthCheck).default([]),
  assert_oauth_token_requests: z.array(tokenRequestCheck).default([]),
  assert_cancellation_sent: cancellationCheck.exactOptional(),
} as const;

export const declarativeTest = z.strictObject({
  test_case_id: z.string().min(1).max(200),
  description: z.string().default(""),
  tags: z.array(z.string()).default([]),
  /** Time limit in seconds; that of a run when absent, because the load of the machine must not decide a test. */
  expected_completion_timeout_seconds: z.number().positive().exactOptional(),
  ...STAGE,
  ...EXPECTED,
  ...REFUSED,
});
export type DeclarativeTest = z.output<typeof declarativeTest>;

/** What a stage plays: the part of a test that it needs. */
export const stageScript: z.ZodType<StageScript> = z.strictObject({
  test_case_id: z.string().min(1),
  ...STAGE,
});

export const STAGE_KEYS = ["test_case_id", ...Object.keys(STAGE)] as (keyof StageScript)[];
