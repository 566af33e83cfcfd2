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
  /** A GET route also answers HEAD. */
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path has its parameters in braces: `/runs/{id}`. It is also the route's label in metrics. */
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
  /** The body is multipart/form-data with these fields. */
  form?: { schema: z.ZodType; example: Readonly<Record<string, string>> };
  /** The body is a file, of any type. */
  takesFile?: true;
  /** A refusal (400 and more) without a schema has the form of all errors. */
  responses: Readonly<Record<number, ResponseDescription>>;
  /** The route needs no token, because it says nothing about this hub's runs. */
  open?: true;
  /** The scope that a token needs for it; `admin` when absent. */
  scope?: Scope;
  /** Refuses tokens that are bound to an agent, a folder or a run: what is here belongs to all of them. */
  unbound?: true;
  /** The route is a WebSocket: what a client sends on it, and what it receives. */
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
  /** The body is an event stream, and the data of each frame has this schema. */
  frames?: z.ZodType;
  /** The JSON body of a typical answer, for people. */
  example?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** One request to a route. */
export interface RouteCall {
  readonly request: Request;
  /** 32 hex digits that the hub logs with the request and sends back in `X-Trace-Id`. */
  readonly traceId: string;
  /** Who asks; whoever runs the hub when absent. */
  readonly caller?: Caller;
  /** Values of the path's parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
}

/** A ProctorError that a handler throws is answered in the form of its surface. */
export interface Route<C = RouteCall> extends RouteDescription {
  /** Absent for a WebSocket, which answers a plain request with UPGRADE_REQUIRED. */
  handle?: (call: C) => Response | Promise<Response>;
  /** Says how a WebSocket is served, or refuses it with a response. */
  accept?: (call: C) => SocketService | Response | Promise<SocketService | Response>;
}

export interface SocketService {
  /** Subprotocols, best first; the first that the client offers is chosen. */
  protocols: readonly string[];
  /** Serves the socket until it closes. What it throws is logged, and closes the socket with 1011. */
  serve(socket: MessageSocket): Promise<void>;
}

/** A surface's part of `/openapi.json` and `/docs`. */
export interface SurfaceDescription {
  /** Groups of operations, each with its subject. */
  tags: Readonly<Record<string, string>>;
  routes: readonly RouteDescription[];
}
