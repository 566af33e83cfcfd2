// A service that is elsewhere, by one interface of its card: over JSON-RPC or HTTP+JSON, in the version that the interface names. What also
// speaks gRPC is open-client.ts.
import type { HttpClient } from "../../../channels/http/client.ts";
import type { WireProblem } from "../codec.ts";
import { codecOf } from "../codecs.ts";
import { A2aError } from "../errors.ts";
import type { AgentInterface } from "../model.ts";
import { A2A_VERSIONS, type A2aCall, type A2aService, type A2aVersion } from "../service.ts";
import { ANONYMOUS, type ClientAuth } from "./auth/client-auth.ts";
import { createHttpJsonWire } from "./http-json.ts";
import { createJsonRpcWire } from "./json-rpc.ts";
import { createPeer } from "./peer.ts";
import { createWireService, type Wire } from "./wire-service.ts";

export interface ClientLimits {
  /** Bytes of the largest answer. */
  answerBytes: number;
  /** Bytes of the largest frame of a stream. */
  frameBytes: number;
}

export interface A2aClientOptions {
  interface: AgentInterface;
  http: HttpClient;
  /** Credentials for the interface's server; the caller has checked that it may get them. */
  auth?: ClientAuth;
  /** Headers sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Picks the headers of a call that go with its request: those that a gateway passes on. None when absent. */
  passOn?: (headers: A2aCall["headers"]) => Record<string, string>;
  limits?: Partial<ClientLimits>;
  /** Called with what an agent got wrong in a message that was still usable. */
  onProblem?: (problem: WireProblem) => void;
  /** Wraps the wire to see messages before they are decoded. */
  tap?: (wire: Wire) => Wire;
}

const DEFAULT_LIMITS: ClientLimits = { answerBytes: 64 * 1024 * 1024, frameBytes: 16 * 1024 * 1024 };

const JSON_BINDINGS: ReadonlySet<string> = new Set(["JSONRPC", "HTTP+JSON"]);

/** Throws an A2aError for an interface with an unsupported binding or version. */
export function createA2aClient(options: A2aClientOptions): A2aService {
  const { interface: spoken, onProblem, tap } = options;
  const wire = createJsonWire(options);
  return createWireService({
    wire: tap?.(wire) ?? wire,
    codec: codecOf(versionOf(spoken), bindingOf(spoken)),
    ...(spoken.tenant !== undefined && { tenant: spoken.tenant }),
    ...(onProblem && { onProblem }),
  });
}

/** Returns the interface below the codec: parameters and results are the JSON of its version. Throws as `createA2aClient` does. */
export function createJsonWire(options: Omit<A2aClientOptions, "onProblem" | "tap">): Wire {
  const { interface: spoken, http, auth = ANONYMOUS, headers = {}, passOn } = options;
  const { answerBytes, frameBytes } = { ...DEFAULT_LIMITS, ...options.limits };
  const version = versionOf(spoken);
  const url = urlOf(spoken);
  const peer = createPeer({ http, auth, version, headers, ...(passOn && { passOn }) });
  const shared = { peer, version, url, maxAnswerBytes: answerBytes, maxFrameBytes: frameBytes };
  return bindingOf(spoken) === "HTTP+JSON" ? createHttpJsonWire(shared) : createJsonRpcWire(shared);
}

function bindingOf({ protocolBinding }: AgentInterface): "HTTP+JSON" | "JSONRPC" {
  return protocolBinding === "HTTP+JSON" ? "HTTP+JSON" : "JSONRPC";
}

/** Returns the version of a patch level: `1.0.1` is 1.0 (A2A 1.0, section 3.6). What 0.2 sends has the shapes of 0.3. */
export function knownVersion(protocolVersion: string): A2aVersion | undefined {
  if (/^0\.2(\.|$)/.test(protocolVersion)) return "0.3";
  return A2A_VERSIONS.find(
    (version) => protocolVersion === version || protocolVersion.startsWith(`${version}.`),
  );
}

function versionOf(spoken: AgentInterface): A2aVersion {
  const version = knownVersion(spoken.protocolVersion);
  if (version !== undefined && JSON_BINDINGS.has(spoken.protocolBinding)) return version;
  const what = `${spoken.protocolBinding} ${spoken.protocolVersion}`;
  throw new A2aError("VERSION_NOT_SUPPORTED", `nobody here speaks ${what} as a client`);
}

function urlOf({ url }: AgentInterface): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new A2aError("INVALID_PARAMS", "the interface has no address over HTTP");
}
