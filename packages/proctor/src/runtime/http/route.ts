// What a route is: its place, its description and its handler in one value, so that the router, the OpenAPI document and the metrics
// can never disagree.
import type { z } from "zod";
import type { Caller } from "../../core/caller.ts";
import type { Scope } from "../../core/scope.ts";
import type { MessageSocket } from "../../core/ports/message-socket.ts";

/** One operation, as the OpenAPI document shows it. */
export interface RouteDescription {
  /** Name of the operation in clients that are generated from the document: unique, and never changed. */
  id: string;
  /** HTTP method; a GET route also answers HEAD. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with its parameters in braces: `/runs/{id}`. It is also the route's label in metrics. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** Schemas of path parameters, where not every text is valid. */
  params?: Readonly<Record<string, z.ZodType>>;
  query?: z.ZodObject;
  /** Request headers that change the answer, each with its meaning. */
  headers?: Readonly<Record<string, string>>;
  body?: { schema: z.ZodType; required: boolean; example?: unknown };
  /** Fields of a multipart/form-data body. */
  form?: { schema: z.ZodType; example: Readonly<Record<string, string>> };
  /** Whether the body is a file, of any type. */
  takesFile?: true;
  /** Responses by status. A refusal (400 and more) without a schema has the form of all errors. */
  responses: Readonly<Record<number, ResponseDescription>>;
  /** Whether the route needs no token, because it reveals nothing about this hub's runs. */
  open?: true;
  /** Scope that a token needs for the route; `admin` when absent. */
  scope?: Scope;
  /** Whether the route refuses tokens bound to an agent, a folder or a run, because its data belongs to all of them. */
  unbound?: true;
  /** Present for a WebSocket: schemas of what a client sends on it, and of what it receives. */
  socket?: { sends: z.ZodType; hears: z.ZodType };
}

export interface ResponseDescription {
  description: string;
  /** Schema of the JSON body; absent when there is no body or it is not JSON. */
  schema?: z.ZodType;
  /** Media types of the JSON body; `application/json` when absent. */
  types?: readonly string[];
  /** Media types of a body that is not JSON. */
  content?: readonly string[];
  /** Schema of the data of each frame, where the body is an event stream. */
  frames?: z.ZodType;
  /** The JSON body of a typical answer, for people. */
  example?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** One request to a route. */
export interface RouteCall {
  readonly request: Request;
  /** Id of the trace: 32 hex digits that the hub logs with the request and sends back in `X-Trace-Id`. */
  readonly traceId: string;
  /** The caller; the operator of the hub when absent. */
  readonly caller?: Caller;
  /** Values of the path's parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** A described operation with its handlers. A ProctorError that a handler throws is answered in the form of its surface. */
export interface Route<C = RouteCall> extends RouteDescription {
  /** Answers a request. Absent for a WebSocket, which answers a plain request with UPGRADE_REQUIRED. */
  handle?: (call: C) => Response | Promise<Response>;
  /** Resolves with the service of a WebSocket, or refuses it with a response. */
  accept?: (call: C) => SocketService | Response | Promise<SocketService | Response>;
}

export interface SocketService {
  /** Subprotocols, best first; the first that the client offers is chosen. */
  protocols: readonly string[];
  /** Serves the socket until it closes. An error that it throws is logged, and closes the socket with 1011. */
  serve(socket: MessageSocket): Promise<void>;
}

/** A surface's part of `/openapi.json` and `/docs`. */
export interface SurfaceDescription {
  /** Groups of operations, each with its subject. */
  tags: Readonly<Record<string, string>>;
  routes: readonly RouteDescription[];
}
