// A route of the neutral API: its description and its handler.
import type { RouteDescription } from "../runtime/http/route.ts";
import type { Call } from "./call.ts";

export interface Route extends RouteDescription {
  handle: (call: Call) => Response | Promise<Response>;
}
