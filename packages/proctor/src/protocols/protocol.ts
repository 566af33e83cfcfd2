// What a protocol folder offers. Each is one line in registry.ts; nothing else in Proctor names a protocol.
import type { ConnectRouter } from "@connectrpc/connect";
import type { z } from "zod";
import type { AgentSpec } from "../core/agent.ts";
import type { AgentDriver, AgentSession, Job, StopSignals } from "../core/ports/driver.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { MessageSocket } from "../core/ports/message-socket.ts";
import type { CommitListener, EventRecord } from "../core/ports/store.ts";
import type { WebhookEncoding } from "../core/ports/webhook-encoding.ts";
import type { Recording } from "../core/recording.ts";
import type { Run } from "../core/run.ts";
import type { Conformance } from "./conformance.ts";

/** What the hub gives to drivers that need it. */
export interface DriverSetting {
  /** Marks processes of this hub, so that those a crash left behind can be found. */
  hubId: string;
  /** How a recording of a protocol's agent is played; given by the registry, so that no protocol knows another. */
  replayerOf?: (protocol: string) => Replay | undefined;
}

/** A recording in the place of its agent: what was received then is received now, and means the same. */
export type Replay = (recording: Recording, job: Job, signals: StopSignals) => AgentSession;

export interface Protocol {
  /** The word before `+` in an address. */
  id: string;
  /** The words after it, which `createDriver` understands. */
  transports: readonly string[];
  /** Document versions it speaks. */
  versions: readonly string[];
  createDriver(setting: DriverSetting): AgentDriver;
  /** Absent where its agents cannot be recorded. */
  replay?: Replay;
  /** How clients of this protocol reach the hub's agents; absent where it has no such half. */
  openSurfaces?: (setting: SurfaceSetting) => Promise<readonly Surface[]>;
  /** Loads how runs are written down for webhooks; absent where the protocol has no form for it. */
  loadWebhookEncoding?(): Promise<WebhookEncoding>;
  /** How an agent is shown to keep to the protocol; loaded when asked for. */
  loadConformance?(): Promise<Conformance>;
}

/** What the hub gives to surfaces. */
export interface SurfaceSetting {
  hub: Hub;
  /** Pages of a run's log after a sequence, as the store holds them, then more as it grows; ends after `run.ended`. */
  follow: (runId: string, after: number, signal: AbortSignal) => AsyncIterable<readonly EventRecord[]>;
  /** Resolves with the run when it has ended; rejects when the signal aborts first. */
  ended: (runId: string, signal: AbortSignal) => Promise<Run>;
  /** Calls back after each commit that grew a run's log, whichever run it is; returns how to stop. */
  watch: (listener: CommitListener) => () => void;
  keepAliveMs: number;
  tasks: TaskSetting;
  /** A trouble of the hub itself that no client can be told any more. */
  report: (problem: unknown, runId: string) => void;
}

/** For protocols whose tasks do not say who works on them, and whose clients bring files. */
export interface TaskSetting {
  /** The agent that new tasks run on, by name, address or in long form; without one, clients do the work. */
  defaultAgent?: string | AgentSpec;
  /** Absolute. Uploaded files stand in it under their names. */
  artifactsDir: string;
  /** Absolute. The workspace that a task names is a folder below it. */
  workspacesRoot: string;
  /** Shows clients where files stand on this machine. */
  exposeUri: boolean;
  /** Files that an agent makes or changes in its workspace become artifacts, unless the task says otherwise; true when absent. */
  collectFiles?: boolean;
}

/** The half of a protocol that lets clients drive us. */
export interface Surface {
  /** Everything at and below it belongs to the protocol: `/atp`. */
  path: string;
  /** A ProctorError it throws is answered in the neutral API's form. */
  fetch(request: Request, call: SurfaceCall): Response | Promise<Response>;
  /** A WebSocket to one of its paths: how it is served, or the response that refuses it. Auth was checked before. */
  upgrade?(request: Request, call: SurfaceCall): SocketService | Response | Promise<SocketService | Response>;
  /** Its part of `/openapi.json` and `/docs`; absent where it says nothing there. */
  openapi?(): SurfaceDescription;
  /** Services for the gRPC port; loaded only where that is on. */
  grpc?(): Promise<GrpcRoutes>;
  /** Ends streams and sockets that wait, so that a server can stop; new ones end at once. */
  close(): void;
}

export interface SurfaceDescription {
  /** Groups of operations, with what each is about. */
  tags: Readonly<Record<string, string>>;
  routes: readonly RouteDescription[];
}

/** One operation, as the OpenAPI document shows it. */
export interface RouteDescription {
  /** Its name in clients that are generated from the document: unique, and never changed. */
  id: string;
  /** A GET route also answers HEAD. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With parameters in braces: `/runs/{id}`. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** What parameters of the path look like, where not every text will do. */
  params?: Readonly<Record<string, z.ZodType>>;
  query?: z.ZodObject;
  /** Request headers that change the answer, with what they mean. */
  headers?: Readonly<Record<string, string>>;
  body?: { schema: z.ZodType; required: boolean; example?: unknown };
  /** The body is multipart/form-data with these fields. */
  form?: { schema: z.ZodType; example: Readonly<Record<string, string>> };
  /** The body is a file, of any type. */
  takesFile?: true;
  /** A refusal (400 and more) without a schema has the form of all errors. */
  responses: Readonly<Record<number, ResponseDescription>>;
  /** Needs no token: says nothing about this hub's runs. */
  open?: true;
  /** It is a WebSocket: what a client sends on it, and what it hears. */
  socket?: { sends: z.ZodType; hears: z.ZodType };
}

export interface ResponseDescription {
  description: string;
  /** Of a JSON body; absent when there is none or it is not JSON. */
  schema?: z.ZodType;
  /** Media types of the JSON body; `application/json` when absent. */
  types?: readonly string[];
  /** Media types of a body that is not JSON. */
  content?: readonly string[];
  /** The body is an event stream; the data of each frame is this. */
  frames?: z.ZodType;
  /** Of the JSON body, for people. */
  example?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface SurfaceCall {
  traceId: string;
}

export interface SocketService {
  /** Subprotocols, best first; the first that the client offers is chosen. */
  protocols: readonly string[];
  /** Serves the socket until it closes. What it throws is logged, and closes the socket with 1011. */
  serve(socket: MessageSocket): Promise<void>;
}

/** Registers its services; only the type is known here, so that nothing loads a gRPC library before it is needed. */
export type GrpcRoutes = (router: ConnectRouter) => void;
