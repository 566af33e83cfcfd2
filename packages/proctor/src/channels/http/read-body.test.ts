import { describe, expect, it } from "vitest";
import { createHttpClient } from "./client.ts";
import { readBody, type WholeBody } from "./read-body.ts";
import { drained, serveHttp, type TestServer } from "../../../test/support/http/servers.ts";

async function read(
  server: TestServer,
  limitBytes: number,
  options: { length?: string; patienceMs?: number } = {},
): Promise<WholeBody> {
  const ask = { url: new URL(server.url), headers: {} };
  const exchanged = await createHttpClient().get(ask, new AbortController().signal);
  if (exchanged.kind === "failed") throw new Error(exchanged.trouble.message);
  return readBody(exchanged.answer.body, limitBytes, options);
}

describe("the body of an HTTP answer", () => {
  it("is read whole up to its limit, and only its beginning beyond it", async () => {
    const server = await serveHttp((_request, response) => response.end("x".repeat(100_000)));
    expect(await read(server, 100_000)).toMatchObject({ sizeBytes: 100_000, overflowed: false });
    const cut = await read(server, 99_999);
    expect([cut.overflowed, cut.bytes.length, cut.trouble]).toEqual([true, 8192, undefined]);
  });

  it("is not read when its length says that it is too long", async () => {
    const server = await serveHttp((_request, response) => {
      response.setHeader("content-length", "1000000").write("x");
    });
    expect(await read(server, 10, { length: "1000000" })).toMatchObject({
      overflowed: true,
      sizeBytes: 1_000_000,
    });
    await drained(server);
  });

  it("that breaks off says so, and keeps what came", async () => {
    const server = await serveHttp((_request, response) => {
      response.setHeader("content-length", "10");
      response.write("abc", () => response.destroy());
    });
    const body = await read(server, 100);
    expect([body.bytes.toString(), body.trouble?.kind]).toEqual(["abc", "lost"]);
  });

  it("that does not end is closed after a while", async () => {
    const server = await serveHttp((_request, response) => void response.write("abc"));
    const body = await read(server, 100, { patienceMs: 20 });
    expect([body.bytes.toString(), body.trouble?.kind]).toEqual(["abc", "lost"]);
    await drained(server);
  });
});
