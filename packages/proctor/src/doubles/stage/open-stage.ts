// A stage: everything around a gateway that a declarative test speaks of. The gateway, its client and the scripted agent behind it are the
// real ones and arrive by injection; they talk over sockets of this machine.
import type { JsonObject } from "../../core/json.ts";
import type { Observation, ObservedOutput } from "../../core/observation.ts";
import type { ArtifactService } from "../../core/ports/artifact-service.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { randomHex } from "../../core/random.ts";
import type { ProxyAuthentication, StageScript } from "../../core/stage-script.ts";
import type { A2aError } from "../../protocols/a2a/errors.ts";
import type { StreamResponse } from "../../protocols/a2a/model.ts";
import type { A2aCall, A2aService } from "../../protocols/a2a/service.ts";
import { listen, type Listening } from "../../runtime/http/listen.ts";
import type { ScriptedAgentHandle } from "../scripted/assemble-agent.ts";
import type { ServedService } from "../scripted/scripted-app.ts";
import { createDownstream, type AgentApp } from "./downstream.ts";
import { createModelServer } from "./model-server.ts";
import { createOauthServer } from "./oauth-server.ts";
import { observeArtifacts, setUpArtifacts } from "./observe-artifacts.ts";
import { playInput } from "./play-input.ts";

/** The gateway of one test. */
export interface StageGateway {
  service: A2aService;
  artifacts: ArtifactService;
  close(): Promise<void>;
}

export interface StageGatewayOptions {
  /** Name of the agent behind the gateway. */
  alias: string;
  /** The agent's address. */
  url: string;
  authentication?: ProxyAuthentication;
  /** True when the card is requested with the same credentials. */
  cardNeedsAuth: boolean;
  /** True when requests go to the address that the card names, otherwise to `url`. */
  usesCardUrl: boolean;
  cardHeaders: Record<string, string>;
  headers: Record<string, string>;
  /** The header that names the user. */
  identityHeader: string;
}

export interface StageDeps {
  clock: Clock;
  openGateway(options: StageGatewayOptions): Promise<StageGateway>;
  openAgent(): ScriptedAgentHandle;
  /** Opens any agent as a service by its address; its program gets these variables. Throws for an invalid address. */
  openOther(address: string, env: Record<string, string>): A2aService;
  /** Serves a service over HTTP. */
  serve(service: A2aService): ServedService;
  /** Returns a client of a service, which sends these headers with every request. */
  connect(url: string, headers: Record<string, string>): A2aService;
  encode: (event: StreamResponse) => JsonObject;
  encodeError: (error: A2aError) => JsonObject;
}

const HOST = "127.0.0.1";
const IDENTITY_HEADER = "x-user-identity";
const MODEL_PLACEHOLDER = "{{LLM_SERVER_URL}}";

/** Plays the script and resolves with everything that was observed. */
export async function playStage(
  written: StageScript,
  deps: StageDeps,
  onOutput: (output: ObservedOutput) => void,
  signal: AbortSignal,
): Promise<Observation> {
  const closers: (() => Promise<unknown> | void)[] = [];
  const open = async (app: Parameters<typeof listen>[0]["app"]): Promise<Listening> => {
    const listening = await listen({ app, host: HOST, port: 0 });
    closers.push(() => listening.close(0));
    return listening;
  };
  try {
    const model = createModelServer(written.llm_interactions);
    const { url: modelUrl } = await open({ fetch: (request) => model.fetch(request), endStreams: nothing });
    const script = withModelUrl(written, `${modelUrl}/v1`);
    const agent = openAgent(script, deps, `${modelUrl}/v1`);
    const downstream = createDownstream(agent, script);
    const { url } = await open({
      fetch: (request, bindings) => downstream.fetch(request, bindings),
      endStreams: () => agent.endStreams(),
    });
    const oauth = script.mock_oauth_server && createOauthServer(script.mock_oauth_server);
    const tokens = oauth && (await open({ fetch: (request) => oauth.fetch(request), endStreams: nothing }));
    const gateway = await deps.openGateway(gatewayOptions(script, url, tokens?.url));
    closers.push(() => gateway.close());
    await setUpArtifacts(script, gateway.artifacts);
    const served = deps.serve(gateway.service);
    const front = await open({
      fetch: (request) => served.fetch(request, { traceId: randomHex(16), basePath: "" }),
      endStreams: () => served.close(),
    });
    const { user_identity: user } = script.gateway_input;
    const played = await playInput(script, {
      gateway: deps.connect(front.url, { [IDENTITY_HEADER]: user }),
      call: callOf(front.url, signal),
      clock: deps.clock,
      encode: deps.encode,
      encodeError: deps.encodeError,
      onOutput,
    });
    return {
      outputs: played.outputs,
      requests: [...downstream.requests],
      artifacts: await observeArtifacts(script, gateway.artifacts),
      model_calls: [...model.calls],
      token_requests: [...(oauth?.requests ?? [])],
      cancellation: { sent: played.cancelSent, downstream_task_ids: downstream.cancelled() },
    };
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** Opens the scripted agent, or the one that the test names. */
function openAgent(script: StageScript, deps: StageDeps, modelUrl: string): AgentApp {
  const { downstream_agent: address, downstream_a2a_agent_responses: responses } = script;
  if (address === undefined) {
    const agent = deps.openAgent();
    if (responses !== undefined) agent.prime([responses]);
    return agent.app;
  }
  const env = {
    LLM_API_URL: modelUrl,
    LLM_API_KEY: "none",
    OPENAI_BASE_URL: modelUrl,
    OPENAI_API_KEY: "none",
  };
  const served = deps.serve(deps.openOther(address, env));
  return {
    fetch: (request) => served.fetch(request, { traceId: randomHex(16), basePath: "" }),
    endStreams: () => served.close(),
  };
}

function gatewayOptions(script: StageScript, url: string, tokenUrl: string | undefined): StageGatewayOptions {
  const { gateway_input, proxy_auth_config: auth, proxy_config_override: override } = script;
  const { target_agent_name: alias } = gateway_input;
  const own = auth?.agent_name === alias ? auth : undefined;
  return {
    alias,
    url: override?.agent_name === alias ? override.url : url,
    ...(own?.authentication && { authentication: atMock(own.authentication, script, tokenUrl) }),
    cardNeedsAuth: own?.use_auth_for_agent_card ?? false,
    usesCardUrl: own?.use_agent_card_url ?? true,
    cardHeaders: headersOf(own?.agent_card_headers ?? []),
    headers: headersOf(own?.task_headers ?? []),
    identityHeader: IDENTITY_HEADER,
  };
}

/** Replaces the address of the OAuth server in the test by that of the stage. */
function atMock(
  authentication: ProxyAuthentication,
  { mock_oauth_server: mock }: StageScript,
  tokenUrl: string | undefined,
): ProxyAuthentication {
  if (authentication.type !== "oauth2_client_credentials" || tokenUrl === undefined) return authentication;
  return authentication.token_url === mock?.token_url
    ? { ...authentication, token_url: tokenUrl }
    : authentication;
}

function headersOf(list: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name.toLowerCase(), value]));
}

function withModelUrl(script: StageScript, url: string): StageScript {
  const text = JSON.stringify(script);
  // The script is JSON, and the address holds nothing that JSON escapes.
  return text.includes(MODEL_PLACEHOLDER)
    ? (JSON.parse(text.replaceAll(MODEL_PLACEHOLDER, url)) as StageScript)
    : script;
}

function callOf(origin: string, signal: AbortSignal): A2aCall {
  return {
    version: "0.3",
    binding: "JSONRPC",
    headers: {},
    extensions: [],
    origin,
    basePath: "",
    traceId: randomHex(16),
    signal,
  };
}

function nothing(): void {
  // There is no open stream that would have to end.
}
