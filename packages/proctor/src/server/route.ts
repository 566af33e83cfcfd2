// A route of the neutral API: its description and its handler. Routes of one group say once what they share.
import type { RouteDescription } from "../runtime/http/route.ts";
import type { Call } from "./call.ts";

export interface Route extends RouteDescription {
  handle: (call: Call) => Response | Promise<Response>;
}

type Shared = Pick<Route, "tag"> & Partial<Pick<Route, "scope" | "unbound" | "open" | "headers">>;

/** A route in a group: `at` is its method and its path, `GET /runs/{id}`. */
type Entry = Omit<Route, "method" | "path" | "tag"> & { at: `${Route["method"]} /${string}` };

/** The routes of a group; what an entry says itself counts more than what they share. */
export function routesOf(shared: Shared, entries: readonly Entry[]): Route[] {
  return entries.map(({ at, ...entry }) => {
    const space = at.indexOf(" ");
    // The type of `at` says which words come first.
    return { ...shared, ...entry, method: at.slice(0, space) as Route["method"], path: at.slice(space + 1) };
  });
}
