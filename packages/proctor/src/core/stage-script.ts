// How a declarative test is played: what the user of a gateway says, what the agent behind it answers, which credentials and files there are.
// Written in YAML by people (suites/declarative), played by doubles/stage. Names are those of document 001, section 6.
import type { Json, JsonObject } from "./json.ts";

export interface StageScript {
  test_case_id: string;
  gateway_input: StageInput;
  gateway_actions_after_input: { type: "cancel_task"; delay_seconds: number }[];
  setup_artifacts: StageArtifact[];
  /** Address of an agent that stands behind the gateway instead of a scripted one. */
  downstream_agent?: string;
  /** The events of one turn, as A2A 0.3 writes them; absent where directives say what the agent answers. */
  downstream_a2a_agent_responses?: JsonObject[];
  downstream_agent_auth?: DownstreamAuth;
  downstream_http_error?: { status_code: number; error_body: Json };
  mock_oauth_server?: TokenAnswer & { token_url: string; response_sequence?: TokenAnswer[] };
  proxy_config_override?: { agent_name: string; url: string };
  proxy_auth_config?: ProxyAuth;
  llm_interactions: { static_response: JsonObject }[];
}

export interface StageInput {
  target_agent_name: string;
  user_identity: string;
  is_streaming: boolean;
  /** Parts of the input; exactly one of these three is given. */
  parts?: StagePart[];
  a2a_parts?: StagePart[];
  prompt?: { parts: StagePart[] };
  /** `a2a_session_id` is the context of the message; the rest is its metadata. */
  external_context: JsonObject;
}

export type StagePart =
  | { type: "text"; text: string }
  | {
      type: "file";
      filename?: string;
      name?: string;
      mime_type?: string;
      content_base64?: string;
      uri?: string;
    };

export interface StageArtifact {
  filename: string;
  mime_type: string;
  content?: string;
  content_base64?: string;
  metadata: JsonObject;
  app_name?: string;
  user_id?: string;
  session_id?: string;
}

export interface DownstreamAuth {
  enabled: boolean;
  type: "bearer" | "apikey";
  expected_value: string;
  /** Whether the first request is refused, whatever it carries. */
  should_fail_once: boolean;
}

export interface TokenAnswer {
  access_token?: string;
  expires_in?: number;
  error?: string | JsonObject;
  status_code?: number;
}

export interface ProxyAuth {
  agent_name: string;
  authentication?: ProxyAuthentication;
  use_auth_for_agent_card: boolean;
  use_agent_card_url: boolean;
  agent_card_headers: { name: string; value: string }[];
  task_headers: { name: string; value: string }[];
}

export type ProxyAuthentication =
  | { type: "static_bearer"; token: string }
  | { type: "static_apikey"; token: string; header: string }
  | {
      type: "oauth2_client_credentials";
      token_url: string;
      client_id: string;
      client_secret: string;
      scope?: string;
      token_cache_duration_seconds?: number;
    };

/** Returns the parts of an input, whichever way they were written. */
export function inputParts({ parts, a2a_parts, prompt }: StageInput): readonly StagePart[] {
  return parts ?? a2a_parts ?? prompt?.parts ?? [];
}

/** Returns the session of an input: the one that it names, or one of its own. */
export function inputSession({ external_context: context }: StageInput, testCaseId: string): string {
  const { a2a_session_id: session } = context;
  return typeof session === "string" && session !== "" ? session : `session-${testCaseId}`;
}
