// A route of the neutral API: its description and its handler. Routes of one group say once what they share.
import type { z } from "zod";
import type { ResponseDescription, RouteDescription } from "../runtime/http/route.ts";
import type { Call } from "./call.ts";

export interface Route extends RouteDescription {
  handle: (call: Call) => Response | Promise<Response>;
}

type Shared = Pick<Route, "tag"> & Partial<Pick<Route, "scope" | "unbound" | "open" | "headers">>;

/** A route in a group: `at` is its method and its path, `GET /runs/{id}`. A response with nothing but its description is that text. */
export type Entry = Omit<Route, "method" | "path" | "tag" | "responses"> & {
  at: `${Route["method"]} /${string}`;
  responses: Readonly<Record<number, ResponseDescription | string>>;
};

/** Returns the routes of a group. What an entry says itself overrides what they share. */
export function routesOf(shared: Shared, entries: readonly Entry[]): Route[] {
  return entries.map(({ at, responses, ...entry }) => {
    const space = at.indexOf(" ");
    return {
      ...shared,
      ...entry,
      // The type of `at` says which words come first.
      method: at.slice(0, space) as Route["method"],
      path: at.slice(space + 1),
      responses: Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          typeof response === "string" ? { description: response } : response,
        ]),
      ),
    };
  });
}

/** Returns the response of a route that creates something. */
export function created(description: string, schema: z.ZodType, noun: string): ResponseDescription {
  return { description, schema, headers: { Location: `Where the ${noun} is.` } };
}
