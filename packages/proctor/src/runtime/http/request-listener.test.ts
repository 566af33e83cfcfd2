import { connect } from "node:net";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { listen, type Listening } from "./listen.ts";
import { readBody } from "./read-body.ts";
import { jsonResponse } from "./respond.ts";

const open: Listening[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close(0);
});

async function serve(fetch: (request: Request) => Response | Promise<Response>): Promise<Listening> {
  const server = await listen({ app: { fetch }, host: "127.0.0.1", port: 0 });
  open.push(server);
  return server;
}

/** Sends these bytes, and resolves to everything that comes back until the server closes. */
async function exchange(port: number, sent: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  let text = "";
  socket.on("data", (chunk: string) => (text += chunk)).on("error", () => undefined);
  socket.write(sent);
  await once(socket, "close");
  return text;
}

function post(head: string, body: string): string {
  return `POST /a HTTP/1.1\r\nHost: localhost:3001\r\nContent-Length: ${body.length}\r\n${head}\r\n${body}`;
}

describe("A request on Node's socket", () => {
  it("can be read in one piece, by its headers, and as a Request", async () => {
    const seen: unknown[] = [];
    const { port } = await serve(async (request) => {
      const { method, url, headers } = request;
      const bytes = await readBody(request, { limitBytes: 100 });
      seen.push({ method, url, body: Buffer.from(bytes).toString() });
      seen.push({
        twice: headers.get("X-Twice"),
        type: headers.get("content-type"),
        none: headers.get("__proto__"),
      });
      seen.push({ all: [...headers.keys()], used: await request.text() });
      return jsonResponse({ ok: true });
    });
    const more =
      "X-Twice: a\r\nX-Twice: b\r\nContent-Type: text/a\r\nContent-Type: text/b\r\nConnection: close\r\n";

    const answer = await exchange(port, post(more, "hello"));

    expect(seen).toEqual([
      { method: "POST", url: "http://localhost:3001/a", body: "hello" },
      { twice: "a, b", type: "text/a, text/b", none: null },
      {
        all: ["connection", "content-length", "content-type", "host", "x-twice"],
        used: "",
      },
    ]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json\r\n/);
    expect(answer).toMatch(/content-length: 11\r\n(?:.+\r\n)*\r\n\{"ok":true\}$/);
  });

  it("can be read piece by piece, by whoever asks for its body", async () => {
    const { port } = await serve(async (request) => jsonResponse(await new Response(request.body).text()));
    const answer = await exchange(port, post("Connection: close\r\n", "hello"));
    expect(answer.endsWith('\r\n\r\n"hello"')).toBe(true);
  });

  it("is answered and closed when it is refused before its body has come", async () => {
    const { port } = await serve(() => jsonResponse({ no: true }, 401));
    const answer = await exchange(
      port,
      "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nhel",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.toLowerCase()).toContain("connection: close");
  });

  it("aborts its signal when the client leaves, and rejects a body that is cut off", async () => {
    let noted: (value: unknown) => void = () => undefined;
    const left = new Promise((resolve) => (noted = resolve));
    const { port } = await serve(async (request) => {
      const { signal } = request;
      const cut = await readBody(request, { limitBytes: 100 }).catch((error: unknown) => error);
      if (!signal.aborted) await once(signal, "abort");
      noted({ cut: String(cut), aborted: signal.aborted });
      return jsonResponse({});
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nhel", () =>
      socket.destroy(),
    );

    expect(await left).toEqual({
      cut: "ProctorError: the body was cut off before its end",
      aborted: true,
    });
  });

  it("is refused in words when its handler fails", async () => {
    const { port } = await serve(() => Promise.reject(new Error("broken")));
    const answer = await exchange(port, post("Connection: close\r\n", "hello"));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each(["/a/../b", "/a/%2e%2e/b"])(
    "has its address normalized where it is not plain: %s",
    async (target) => {
      const { port } = await serve((request) => jsonResponse(request.url));
      const answer = await exchange(
        port,
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect(answer.endsWith('"http://localhost/b"')).toBe(true);
    },
  );
});
