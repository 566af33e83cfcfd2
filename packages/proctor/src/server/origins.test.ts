import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { acceptSocket } from "../channels/websocket/accept-socket.ts";
import { ProctorError } from "../core/errors.ts";
import type { Mount } from "./app.ts";
import { createHarness, RUN } from "../../test/support/server/app-harness.ts";
import { listen } from "../runtime/http/listen.ts";
import { assertSafeOrigins } from "./origins.ts";

const PAGE = "http://localhost:5173";
const TOKEN = "a-token";

/** A door of another protocol, with and without a response that has headers of its own. */
const door: Mount = {
  path: "/door",
  fetch({ url }) {
    if (url.endsWith("/refused")) throw new ProctorError("NOT_FOUND", "no such thing");
    return new Response("x", { headers: { "content-type": "text/plain" } });
  },
  upgrade: () => ({ protocols: [], serve: async (socket) => void (await socket.send("hello")) }),
};

const kinds = [
  { name: "without a token", tokens: [], headers: {} },
  { name: "with a token", tokens: [TOKEN], headers: { authorization: `Bearer ${TOKEN}` } },
];

describe.each(kinds)("a hub $name that allows an origin", ({ tokens, headers }) => {
  const { app, hub, send } = createHarness({ tokens, allowedOrigins: [PAGE], mounts: [door] });

  it("lets its pages ask, and read every answer", async () => {
    const asked = { ...headers, origin: PAGE };
    for (const [method, path, status, json] of [
      ["POST", "/runs", 202, RUN],
      ["GET", "/runs", 200],
      ["GET", "/runs/none", 404],
      ["POST", "/runs", 400, {}],
      ["POST", "/runs", 413, { agent: "x".repeat(2 * 1024 * 1024) }],
      ["DELETE", "/runs", 405],
      ["GET", "/nothing", 404],
      ["GET", "/healthz", 200],
    ] as const) {
      const answer = await send(method, path, { headers: asked, ...(json && { json }) });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get("access-control-allow-origin")).toBe(PAGE);
      expect(answer.headers.get("access-control-expose-headers")).toBe("*");
      expect(answer.headers.get("vary")).toBe("Origin");
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    }
    for (const path of ["/door/a", "/door/refused"]) {
      const response = await app.fetch(new Request(`http://127.0.0.1:3001${path}`, { headers: asked }));
      expect(response.headers.get("access-control-allow-origin")).toBe(PAGE);
    }
  });

  it("answers a preflight, without a token and on every surface", async () => {
    const calls = hub.calls.length;
    for (const path of ["/runs", "/runs/x/events", "/door/a", "/nothing"]) {
      const response = await app.fetch(
        new Request(`http://127.0.0.1:3001${path}`, {
          method: "OPTIONS",
          headers: {
            origin: PAGE,
            "access-control-request-method": "DELETE",
            "access-control-request-headers": "authorization,content-type",
          },
        }),
      );
      expect([path, response.status]).toEqual([path, 204]);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "access-control-allow-origin": PAGE,
        "access-control-allow-methods": expect.stringContaining("DELETE"),
        "access-control-allow-headers": "authorization,content-type",
        "access-control-max-age": "7200",
        vary: "Origin, Access-Control-Request-Headers",
      });
    }
    expect(hub.calls.length).toBe(calls);
  });

  it.each(["https://evil.example", "null", "http://localhost:5174", `${PAGE}.evil.example`, "garbage"])(
    "still refuses a page of %s, and tells caches that it depends",
    async (origin) => {
      const before = hub.calls.length;
      const answer = await send("POST", "/runs", { json: RUN, headers: { ...headers, origin } });
      expect([answer.status, answer.body.code]).toEqual([403, "FORBIDDEN"]);
      expect(answer.headers.has("access-control-allow-origin")).toBe(false);
      expect(answer.headers.get("vary")).toBe("Origin");
      const asked = { origin, "access-control-request-method": "POST" };
      expect((await send("OPTIONS", "/runs", { headers: asked })).status).toBe(403);
      expect(hub.calls.length).toBe(before);
    },
  );

  it("tells caches that answers to programs depend on the origin, too", async () => {
    expect((await send("GET", "/runs", { headers })).headers.get("vary")).toBe("Origin");
  });
});

it("the hub lets a page of an allowed origin read why its token is refused", async () => {
  const { send } = createHarness({ tokens: [TOKEN], allowedOrigins: [PAGE] });
  const { status, headers } = await send("GET", "/runs", { headers: { origin: PAGE } });
  expect([status, headers.get("access-control-allow-origin")]).toEqual([401, PAGE]);
});

it("an allowed origin keeps a hub without a token closed to other names, whatever the origin", async () => {
  const { send } = createHarness({ allowedOrigins: [PAGE] });
  const headers = { origin: PAGE, host: "evil.example" };
  expect((await send("GET", "/runs", { headers })).status).toBe(403);
});

it("a hub that allows no origins says nothing about them", async () => {
  const { send } = createHarness();
  const { headers } = await send("GET", "/runs");
  expect([...headers.keys()].filter((name) => /^(?:access-control|vary)/.test(name))).toEqual([]);
});

describe("every origin at once", () => {
  it("is allowed with a token only, and never with cookies", async () => {
    const { send } = createHarness({ tokens: [TOKEN], allowedOrigins: ["*"] });
    const origin = "https://any.example";
    const answer = await send("GET", "/runs", { headers: { origin, authorization: `Bearer ${TOKEN}` } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    expect((await send("GET", "/runs", { headers: { origin } })).status).toBe(401);
  });

  it("cannot be allowed on a hub that asks for no token", () => {
    expect(() => assertSafeOrigins(["*"], false)).toThrow(/without a token.*\n.*PROCTOR_TOKEN/s);
    expect(() => assertSafeOrigins(["*"], true)).not.toThrow();
    expect(() => assertSafeOrigins([PAGE], false)).not.toThrow();
  });
});

describe("with allowed origins on a socket,", () => {
  const opened: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });

  async function serve(tokens: readonly string[]) {
    const { app } = createHarness({ tokens, allowedOrigins: [PAGE], mounts: [door] });
    const server = await listen({
      app,
      host: "127.0.0.1",
      port: 0,
      acceptSocket: (upgrade) => acceptSocket({ ...upgrade, maxMessageBytes: 1000, keepAliveMs: 15_000 }),
    });
    opened.push(() => server.close(0));
    return server.url;
  }

  function connect(url: string, origin: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = new WebSocket(url.replace("http", "ws"), { origin });
      opened.push(() => socket.terminate());
      socket.on("error", () => {});
      socket.on("message", (text: Buffer) => resolve(text.toString()));
      socket.on("unexpected-response", (_request, response) => resolve(String(response.statusCode)));
    });
  }

  it("a WebSocket is judged like any other request", async () => {
    const open = await serve([]);
    expect(await connect(`${open}/door`, PAGE)).toBe("hello");
    expect(await connect(`${open}/door`, "https://evil.example")).toBe("403");
    const closed = await serve([TOKEN]);
    expect(await connect(`${closed}/door?access_token=${TOKEN}`, PAGE)).toBe("hello");
    expect(await connect(`${closed}/door?access_token=${TOKEN}`, "https://evil.example")).toBe("403");
    expect(await connect(`${closed}/door`, PAGE)).toBe("401");
  });

  it("an answer carries its headers whichever surface gives it", async () => {
    const url = await serve([]);
    for (const path of ["/runs", "/runs/none", "/door/a", "/door/refused"]) {
      const { headers } = await fetch(`${url}${path}`, { headers: { origin: PAGE } });
      expect([path, headers.get("access-control-allow-origin")]).toEqual([path, PAGE]);
      expect(headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
    }
  });
});
