// Requests to a real server that cuts connections, answers that it is stopping, and comes back.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { readSse } from "../channels/sse/read-sse.ts";
import { createHttpClient } from "./http-client.ts";
import { createHttpEvaluations } from "./http-evaluations.ts";
import { createHttpHub } from "./http-hub.ts";
import { createLastingClient } from "./lasting-client.ts";

type Handler = (response: ServerResponse, request: IncomingMessage) => void;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
});

/** A server that handles each request with the next of the handlers, and the rest with the last. */
async function serve(...handlers: readonly Handler[]): Promise<{ url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const handle = handlers[Math.min(seen.length, handlers.length - 1)];
      seen.push(request);
      handle?.(response, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const ok: Handler = (response) => void response.end(JSON.stringify({ id: "r1", items: [] }));
const cut: Handler = (response) => void response.socket?.destroy();
const half: Handler = (response) => void response.write('{"id": "r', () => response.socket?.destroy());
const stopping: Handler = (response) =>
  void response.writeHead(503).end(JSON.stringify({ code: "SHUTTING_DOWN", message: "stopping" }));
const lasting = (url: string, giveUpAfterMs?: number) =>
  createLastingClient(createHttpClient({ url }), giveUpAfterMs);

describe("A lasting client", () => {
  it("asks again until a hub answers, though one was cut off, half through or stopping", async () => {
    const { url, seen } = await serve(ok, cut, half, stopping, ok);
    const client = lasting(url);
    await client.sendJson("/runs/first");
    expect(await client.sendJson("/runs/r1")).toMatchObject({ id: "r1" });
    expect(seen).toHaveLength(5);
  });

  it("says at once that a hub does not answer which never did", async () => {
    const { url, seen } = await serve(cut, ok);
    await expect(lasting(url).sendJson("/runs")).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    expect(seen).toHaveLength(1);
  });

  it("gives up in the end", async () => {
    const { url, seen } = await serve(ok, cut);
    const client = lasting(url, 0);
    await client.send("/runs");
    await expect(client.send("/runs")).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    expect(seen.length).toBeGreaterThan(2);
  });

  it("repeats nothing that would be done twice, and nothing that was refused", async () => {
    const refused: Handler = (response) =>
      void response.writeHead(404).end(JSON.stringify({ code: "NOT_FOUND" }));
    const { url, seen } = await serve(ok, cut, refused);
    const client = lasting(url);
    await client.send("/runs");
    const resume = client.send("/runs/r1/resume", { method: "POST", body: {} });
    await expect(resume).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    await expect(client.send("/nowhere")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(seen).toHaveLength(3);
  });

  it("stops asking when nobody wants the answer any more", async () => {
    const leave = new AbortController();
    const { url } = await serve(ok, (response, request) => {
      cut(response, request);
      leave.abort();
    });
    const client = lasting(url);
    await client.send("/runs");
    await expect(client.send("/runs", { signal: leave.signal })).rejects.toThrow(/abort/i);
  });
});

describe("A hub over HTTP whose API server dies", () => {
  it("submits a run once, with one key for all tries", async () => {
    const replayed: Handler = (response) => void response.setHeader("idempotency-replayed", "true");
    const { url, seen } = await serve(ok, cut, (response, request) => {
      replayed(response, request);
      ok(response, request);
    });
    const hub = createHttpHub({ url, readSse });
    await hub.run("before");
    const submitted = await hub.submit({ agent: "a", task: { description: "x" } });
    expect(submitted).toMatchObject({ run: { id: "r1" }, created: true });
    const keys = seen.slice(1).map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
  });

  it("reads the rest of an artifact whose bytes were cut off", async () => {
    const part =
      (text: string, isWhole: boolean): Handler =>
      (response) =>
        void response
          .writeHead(200, { "content-length": String(isWhole ? text.length : 6) })
          .write(text, () => isWhole || response.socket?.destroy());
    const { url, seen } = await serve(ok, part("abc", false), part("def", true));
    const hub = createHttpHub({ url, readSse });
    await hub.run("before");
    const chunks: Uint8Array[] = [];
    for await (const chunk of await hub.readArtifact("r1", "a1")) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("abcdef");
    expect(seen.map(({ headers }) => headers.range)).toEqual([undefined, undefined, "bytes=3-"]);
  });

  it("records an evaluation at the next one", async () => {
    const { url, seen } = await serve(ok, cut, ok);
    const client = lasting(url);
    const evaluations = createHttpEvaluations(client, readSse);
    await evaluations.get("e1");
    await evaluations.record("e1", { owner: "o" });
    expect(seen.map((request) => request.url)).toEqual([
      "/evaluations/e1",
      ...Array(2).fill("/evaluations/e1/records"),
    ]);
  });
});
