import { describe, expect, it } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import { errorResponse, jsonResponse } from "./respond.ts";
import type { Route, RouteCall, SocketService } from "./route.ts";
import { serveRoutes } from "./serve-routes.ts";

const CALL = { traceId: "0af7651916cd43dd8448eb211c80319c" };
const SERVICE: SocketService = { protocols: ["test.v1"], serve: () => Promise.resolve() };

function route(method: Route["method"], path: string, more: Partial<Route>): Route {
  return { id: path, method, path, tag: "Things", summary: "Do it", responses: {}, ...more };
}

function setup() {
  const routes = [
    route("GET", "/things/{id}", {
      handle: ({ params, traceId }: RouteCall) => jsonResponse({ ...params, traceId }),
    }),
    route("POST", "/things/{id}", {
      handle: () => Promise.reject(new ProctorError("TASK_NOT_FOUND", "there is no such thing")),
    }),
    route("DELETE", "/things/{id}", {
      handle: () => {
        throw new TypeError("a bug");
      },
    }),
    route("GET", "/things/{id}/ws", { accept: () => SERVICE }),
  ];
  return serveRoutes({
    routes,
    aliases: routes.map((one) => ({ ...one, path: `/v1${one.path}` })),
    tags: { Things: "What there is." },
    hint: "things are at /things/{id}",
    refuse(thrown, headers) {
      if (!ProctorError.is(thrown)) throw thrown;
      return errorResponse(thrown, { ...headers, "x-form": "things" });
    },
  });
}

const ask = async (path: string, method = "GET") =>
  setup().fetch(new Request(`http://hub${path}`, { method }), CALL);

describe("a surface made of routes", () => {
  it.each(["/things/7", "/v1/things/7?x=1"])("answers %s by its handler", async (path) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id: "7", ...CALL });
  });

  it("answers HEAD as GET without the body", async () => {
    const response = await ask("/things/7", "HEAD");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe("");
  });

  it.each([
    ["GET", "/thing", 404, "NOT_FOUND", null],
    ["PUT", "/things/7", 405, "METHOD_NOT_ALLOWED", "GET, POST, DELETE, HEAD"],
    ["POST", "/things/7", 404, "TASK_NOT_FOUND", null],
    ["GET", "/things/7/ws", 426, "UPGRADE_REQUIRED", null],
  ])("refuses %s %s in the form of the surface", async (method, path, status, code, allow) => {
    const response = await ask(path, method);
    expect(response.status).toBe(status);
    expect(response.headers.get("x-form")).toBe("things");
    expect(response.headers.get("allow")).toBe(allow);
    expect(await response.json()).toMatchObject({ code });
  });

  it("leaves a bug to the hub", async () => {
    await expect(ask("/things/7", "DELETE")).rejects.toThrow("a bug");
  });

  it("accepts a WebSocket only where a route has one", async () => {
    const upgrade = (path: string) => setup().upgrade(new Request(`http://hub${path}`), CALL);
    expect(await upgrade("/things/7/ws")).toBe(SERVICE);
    await expect(upgrade("/things/7")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(upgrade("/other")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("describes its routes and leaves out their aliases", () => {
    const { tags, routes } = setup().openapi();
    expect(tags).toEqual({ Things: "What there is." });
    expect(routes.map(({ path }) => path)).toEqual([
      "/things/{id}",
      "/things/{id}",
      "/things/{id}",
      "/things/{id}/ws",
    ]);
  });
});
