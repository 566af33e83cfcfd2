// A list of routes as a surface: it answers requests and WebSockets, and describes itself. A request that no route takes is refused in the
// surface's own form; HEAD is GET without the body.
import { getPath } from "hono/utils/url";
import { isBound, OPERATOR, requireAgent, requireScope, requireUnbound } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Route, RouteCall, SocketService, SurfaceDescription } from "./route.ts";
import { createRouter } from "./router.ts";

export interface ServeRoutesOptions {
  routes: readonly Route[];
  /** Routes that are served but not described: the same operations at other paths. */
  aliases?: readonly Route[];
  /** Groups of operations, each with its subject. */
  tags: SurfaceDescription["tags"];
  /** Where to look instead: the second line of the error for a path that does not exist. */
  hint: string;
  /** Whether tokens bound to an agent, a folder or a run are refused where the path names no agent. */
  unbound?: true;
  /** Answers an error in the surface's form. An error that it throws is answered by the hub, in the neutral form. */
  refuse: (thrown: unknown, headers?: Readonly<Record<string, string>>) => Response;
}

type ServedCall = Pick<RouteCall, "traceId" | "caller">;

export interface ServedRoutes {
  fetch(request: Request, call: ServedCall): Response | Promise<Response>;
  /** A refused WebSocket throws a ProctorError, which the hub answers. */
  upgrade(request: Request, call: ServedCall): Promise<SocketService | Response>;
  openapi(): SurfaceDescription;
}

export function serveRoutes(options: ServeRoutesOptions): ServedRoutes {
  const { routes, aliases = [], tags, hint, unbound, refuse } = options;
  const router = createRouter([...routes, ...aliases], hint);

  /** Throws SCOPE_MISSING or FORBIDDEN where the caller may not use the route. */
  function admit(route: Route, { caller = OPERATOR }: ServedCall, params: RouteCall["params"]): void {
    if (caller === OPERATOR || route.open) return;
    requireScope(caller, route.scope ?? "admin");
    const { agent } = params;
    if (!isBound(caller)) return;
    if (agent !== undefined) requireAgent(caller, agent);
    else if (unbound ?? route.unbound) requireUnbound(caller);
  }

  function answer(request: Request, call: ServedCall): Response | Promise<Response> {
    const found = router.find(request.method, getPath(request));
    if (found.endpoint === undefined) return refuse(found.error, found.headers);
    admit(found.endpoint, call, found.params);
    const handle = found.endpoint.handle ?? upgradeRequired();
    // The spread comes last: an object that begins with one and then grows takes V8's slow path.
    const response = handle({ request, params: found.params, ...call });
    if (request.method !== "HEAD") return response;
    return response instanceof Promise ? response.then(withoutBody) : withoutBody(response);
  }

  return {
    // Not an async function: a request costs as few promises as its route needs.
    fetch(request, call) {
      try {
        const response = answer(request, call);
        return response instanceof Promise ? response.catch((thrown: unknown) => refuse(thrown)) : response;
      } catch (thrown) {
        return refuse(thrown);
      }
    },
    async upgrade(request, call) {
      const found = router.find(request.method, getPath(request));
      if (found.endpoint === undefined) throw found.error;
      admit(found.endpoint, call, found.params);
      const accept = found.endpoint.accept ?? noSocket();
      return accept({ ...call, request, params: found.params });
    },
    openapi: () => ({ tags, routes: unbound ? routes.map(asUnbound) : routes }),
  };
}

/** Returns the route as it is described: where the path names an agent, that decides. */
function asUnbound(route: Route): Route {
  return route.path.includes("{agent}") ? route : { ...route, unbound: true };
}

/** Returns the same answer for HEAD. A body that will not be read is cancelled. */
export function withoutBody(response: Response): Response {
  if (response.body === null) return response;
  void response.body.cancel().catch(() => undefined);
  const { status, headers } = response;
  return new Response(null, { status, headers });
}

function upgradeRequired(): never {
  throw new ProctorError("UPGRADE_REQUIRED", "this is a WebSocket\nconnect with ws://");
}

function noSocket(): never {
  throw new ProctorError("NOT_FOUND", "there is no WebSocket at this path\nsee /docs");
}
