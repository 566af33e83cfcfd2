// What a route is: its place, its documentation and its handler in one value, so that the OpenAPI document, the router
// and the metrics can never tell different stories.
import type { z } from "zod";
import type { Call } from "./call.ts";

export interface RouteResponse {
  description: string;
  /** Of a JSON body; absent when there is none or it is not JSON. */
  schema?: z.ZodType;
  /** Media types of a body that is not JSON. */
  content?: readonly string[];
  headers?: Readonly<Record<string, string>>;
}

export interface Route {
  /** A GET route also answers HEAD. */
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** With parameters in braces: `/runs/{id}`. Also the route's label in metrics. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  query?: z.ZodObject;
  /** Request headers that change the answer, with what they mean. */
  headers?: Readonly<Record<string, string>>;
  body?: { schema: z.ZodType; required: boolean; example?: unknown };
  responses: Readonly<Record<number, RouteResponse>>;
  /** Needs no token: says nothing about this hub's runs. */
  open?: true;
  handle: (call: Call) => Response | Promise<Response>;
}
