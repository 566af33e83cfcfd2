// What a protocol folder offers. Each is one line in registry.ts; nothing else in Proctor names a protocol.
import type { ConnectRouter } from "@connectrpc/connect";
import type { AgentSpec } from "../core/agent.ts";
import type { Caller } from "../core/caller.ts";
import type { Artifact } from "../core/artifact.ts";
import type { JsonObject } from "../core/json.ts";
import type { AgentDriver, AgentSession, Job, StopSignals, Talks } from "../core/ports/driver.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { HubMail } from "../core/ports/hub-mail.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import type { Messages } from "../core/ports/messages.ts";
import type { Receivers } from "../core/ports/receivers.ts";
import type { ScriptTools } from "../core/ports/script-tools.ts";
import type { WebhookEncoding } from "../core/ports/webhook-encoding.ts";
import type { Recording } from "../core/recording.ts";
import type { Run } from "../core/run.ts";
import type { SocketService, SurfaceDescription } from "../runtime/http/route.ts";
import type { Finding } from "../runtime/yaml/findings.ts";
import type { Conformance } from "../conformance/conformance.ts";
import type { Probe } from "./probe.ts";

/** Parts of the hub for the drivers that need them. */
export interface DriverOptions {
  /** Marks processes of this hub, so that those a crash left behind can be found. */
  hubId: string;
  /** Returns how a recording of a protocol's agent is played; given by the registry, so that no protocol depends on another. */
  replayerOf?: (protocol: string) => Replay | undefined;
  /** Sends and receives envelopes in the hub's name; absent where there are no inboxes. */
  mail?: HubMail;
  /** Carries out goals; absent where there are none. */
  goals?: AgentDriver;
  /** Calls the script tools of the hub; absent where there are none. */
  scriptTools?: Pick<ScriptTools, "call">;
}

/** Plays a recording in place of its agent: the recorded messages are received again, and mean the same. */
export type Replay = (recording: Recording, job: Job, signals: StopSignals) => AgentSession;

export type EncodeResponse = (
  run: Run,
  readArtifact: (artifact: Artifact) => Promise<Uint8Array>,
) => Promise<JsonObject>;

export interface Protocol {
  /** Word before `+` in an address. */
  id: string;
  /** Words after `+` in an address, which `createDriver` understands. */
  transports: readonly string[];
  /** Versions of the document that it speaks. */
  versions: readonly string[];
  createDriver(options: DriverOptions): AgentDriver;
  /**
   * Says what is wrong with the options of an agent, before it is registered or run; `{}` when it has none. Paths begin inside the options.
   * Absent where agents take no options.
   */
  checkOptions?(options: JsonObject, spec: AgentSpec): readonly Finding[];
  /** Returns what can be said to this agent, where that depends on its options; the driver's `talks` when absent. */
  talksOf?(spec: AgentSpec): Talks;
  /** Asks whether the agent is alive, by an exchange that only a living one answers. Absent where the protocol has none. */
  probe?(spec: AgentSpec, signal: AbortSignal): Promise<Probe>;
  /** Plays recordings; absent where its agents cannot be recorded. */
  replay?: Replay;
  /** Opens the surfaces by which clients of this protocol reach the hub's agents; absent where it has none. */
  openSurfaces?: (options: SurfaceOptions) => Promise<readonly Surface[]>;
  /** An ended run as the document that ends a task in this protocol; absent where there is none. */
  encodeResponse?: EncodeResponse;
  /** Loads how runs are written down for webhooks; absent where the protocol has no form for it. */
  loadWebhookEncoding?(): Promise<WebhookEncoding>;
  /** Loads the tests that show whether an agent keeps to the protocol. */
  loadConformance?(): Promise<Conformance>;
}

/** Parts of the hub for surfaces. */
export interface SurfaceOptions {
  hub: Hub;
  /** Reads the logs of the hub's runs. */
  log: LogReader;
  keepAliveMs: number;
  /** Accepts receivers of push notifications; absent where the hub sends none. */
  receivers?: Receivers;
  /** The inboxes of envelopes; absent where the hub has none. */
  messages?: Messages;
  /** Name of the agent that clients reach without naming any; absent where there is none. */
  defaultAgentName?: string;
  /** Returns whether clients need a token, which may change while the hub runs; never when absent. */
  needsToken?: () => boolean;
  /** Returns the addresses at which clients reach the hub; undefined until it listens. */
  places?: () => HubPlaces | undefined;
  /** Reports a problem of the hub itself that no client can see any more. */
  report: (problem: unknown, runId: string) => void;
}

/** Ports of a hub, and what is configured about how others reach them. */
export interface HubPlaces {
  httpPort: number;
  /** The hub's address over HTTP as others reach it. */
  publicUrl?: string;
  /** Port for gRPC; absent where it is off. */
  grpcPort?: number;
  /** Address `host:port` at which clients reach the gRPC port. */
  grpcPublicAddress?: string;
}

/** The half of a protocol that lets clients drive us. */
export interface Surface {
  /** Path of the protocol, `/atp`: everything at and below it belongs to it. */
  path: string;
  /**
   * Paths, at or below `path`, that need no token on a hub with tokens: written as in routes, exact, with `{name}` for one segment, or
   * ending with `/*` for everything at and below. Any method is let through, WebSockets too; a path with an escape, an empty segment or
   * dots that climb never is.
   */
  open?: readonly string[];
  /** Answers a request. A ProctorError that it throws is answered in the neutral API's form. */
  fetch(request: Request, call: SurfaceCall): Response | Promise<Response>;
  /** Opens a WebSocket at one of its paths: returns how it is served, or the response that refuses it. Auth was checked before. */
  upgrade?(request: Request, call: SurfaceCall): SocketService | Response | Promise<SocketService | Response>;
  /** Returns the surface's part of `/openapi.json` and `/docs`; absent when it has none. */
  openapi?(): SurfaceDescription;
  /** Services for the gRPC port; loaded only where that is on. */
  grpc?(): Promise<GrpcRoutes>;
  /** Ends streams and sockets that wait, so that a server can stop; new ones end at once. */
  close(): void;
}

export interface SurfaceCall {
  /** Trace id, 32 hex digits, which the hub logs with the request and sends back in `X-Trace-Id`. */
  traceId: string;
  /** The caller; absent for the operator of the hub. */
  caller?: Caller;
}

/** Registers its services; only the type is known here, so that nothing loads a gRPC library before it is needed. */
export type GrpcRoutes = (router: ConnectRouter) => void;
