// A surface that opens some of its paths, on a hub with a token, asked as a hostile client asks: with the bytes of the path as it likes.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHarness } from "../../test/support/server/app-harness.ts";
import type { Surface } from "../protocols/protocol.ts";
import { listen, type Listening } from "../runtime/http/listen.ts";
import { openPaths } from "./open-paths.ts";

const TOKEN = "the-token";
const surface: Surface = {
  path: "/talk",
  open: ["/talk/card.json", "/talk/{agent}/card.json", "/talk/public/*"],
  fetch: (request) => new Response(`served ${new URL(request.url).pathname}`),
  close: () => undefined,
};

let server: Listening;

beforeAll(async () => {
  const { app } = createHarness({ mounts: [surface], tokens: [TOKEN] });
  server = await listen({ app, host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

/** The status of a request whose path is sent byte by byte as it is written here. */
function statusOf(path: string, { method = "GET", headers = "" } = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => (received += text));
    socket.on("error", reject);
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1])));
    socket.write(`${method} ${path} HTTP/1.1\r\nhost: hub.example\r\nconnection: close\r\n${headers}\r\n`);
  });
}

describe("on a hub with a token, a surface's open path", () => {
  it.each([
    "/talk/card.json",
    "/talk/card.json?a=/../x",
    "/talk/worker/card.json",
    "/talk/public",
    "/talk/public/",
    "/talk/public/a/b",
  ])("%s answers without one", async (path) => {
    expect(await statusOf(path)).toBe(200);
  });

  it.each(["HEAD", "POST", "DELETE"])("answers %s without one", async (method) => {
    expect(await statusOf("/talk/card.json", { method })).toBe(200);
  });

  it.each([
    "/talk",
    "/talk/",
    "/talk/tasks",
    "/talk/worker/tasks",
    "/talk/card.json/",
    "/talk/card.json/tasks",
    "/talk/worker/card.json/tasks",
    "/talk/publicity",
    "/runs",
    "/agents",
    "/nothing",
  ])("does not open %s", async (path) => {
    expect(await statusOf(path)).toBe(401);
    expect(await statusOf(path, { headers: `authorization: Bearer ${TOKEN}\r\n` })).not.toBe(401);
  });

  it.each([
    "//talk/card.json",
    "/talk//card.json",
    "/talk/public//../../tasks",
    "/talk/public/../tasks",
    "/talk/public/./../tasks",
    "/talk/public/%2e%2e/tasks",
    "/talk/public/%2E%2E%2ftasks",
    "/talk/public/..%2ftasks",
    "/talk/public%2f..%2ftasks",
    "/talk/public/..\\tasks",
    "/talk/public/%5c..%5ctasks",
    "/talk/public/%252e%252e/tasks",
    "/talk/public/..;/tasks",
    "/talk/public/..",
    "/talk/card%2ejson",
    "/talk/a%2fb/card.json",
    "/talk/c%61rd.json",
    "/TALK/card.json",
    "/talk/Card.json",
    "/talk/PUBLIC/a",
    "/talk/tasks?/talk/card.json",
    "/talk/tasks;/talk/card.json",
    "/runs/../talk/tasks",
    "/talk/card.json/../../runs",
    "http://hub.example/talk/tasks",
  ])("is not reached by the trick %s", async (path) => {
    expect(await statusOf(path)).not.toBe(200);
  });

  it("must lie below the surface", () => {
    expect(() => openPaths({ path: "/talk", open: ["/runs"] })).toThrow(/not below/);
    expect(() => openPaths({ path: "/talk", open: ["/talkative"] })).toThrow(/not below/);
  });
});
