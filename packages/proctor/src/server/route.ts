// What a route is: its place, its documentation and its handler in one value, so that the OpenAPI document, the router
// and the metrics can never tell different stories.
import type { RouteDescription } from "../protocols/protocol.ts";
import type { Call } from "./call.ts";

/** Its path is also its label in metrics. */
export interface Route extends RouteDescription {
  handle: (call: Call) => Response | Promise<Response>;
}
