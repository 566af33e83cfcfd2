// Clients that break the rules: they cut connections, send slowly, stay silent or never read. Nothing is left running, and others
// are served meanwhile.
import { beforeAll, describe, expect, it } from "vitest";
import { CLOSED_FRAMES, closeCodeOf, frame, HANDSHAKE, REFUSED_HANDSHAKES } from "../../atp-cases/frames.ts";
import { connectRaw, NO_PYTHON, request, type Server, startServer } from "./python-agent.ts";

const LIMITS = { read_seconds: 0.5, send_seconds: 0.5, idle_seconds: 0.5, quiet_seconds: 0.3 };

function head(path: string, length: number, more = ""): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;
}

function post(path: string, description: string, taskId: string): string {
  const body = JSON.stringify(request(description, { task_id: taskId }));
  return head(path, body.length) + body;
}

const UPGRADE = `${HANDSHAKE}\r\n`;

describe.skipIf(NO_PYTHON)("a Python agent with hostile clients", () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer(LIMITS);
  });

  describe.concurrent("all at once", () => {
    it.each(["/execute", "/execute/stream"])("cancels the task of a client that leaves %s", async (path) => {
      const client = await connectRaw(server.port);
      const id = `left ${path}`;
      client.socket.write(post(path, "wait", id));
      await server.printed("stderr", new RegExp(`${id} waits`));
      client.socket.destroy();
      await server.printed("stderr", new RegExp(`${id} was cancelled`));
    });

    it("cancels the task of a client that never reads", async () => {
      const client = await connectRaw(server.port);
      client.socket.pause();
      client.socket.write(post("/execute/stream", "flood", "deaf http"));
      await server.printed("stderr", /deaf http was cancelled/);
      client.socket.destroy();
    });

    it("cancels the tasks of a WebSocket that never reads", async () => {
      const client = await connectRaw(server.port);
      client.socket.write(UPGRADE);
      await client.until(/\r\n\r\n/);
      client.socket.pause();
      client.socket.write(frame(1, JSON.stringify(request("flood", { task_id: "deaf ws" }))));
      await server.printed("stderr", /deaf ws was cancelled/);
      client.socket.destroy();
    });

    it.each([
      ["nothing", ""],
      ["half a request line", "POST /exe"],
      ["headers without end", "POST /execute HTTP/1.1\r\nHost: x\r\n"],
      ["half a body", `${head("/execute", 100)}{`],
      [
        "half a chunk",
        `${head("/execute", 0).replace("Content-Length: 0", "Transfer-Encoding: chunked")}ff\r\nx`,
      ],
      ["half a frame", UPGRADE + frame(1, "x".repeat(100)).subarray(0, 50).toString("latin1")],
      ["half a message", UPGRADE + frame(1, "x", { final: false }).toString("latin1")],
      ["nothing on a WebSocket, not even pongs", UPGRADE],
    ])("closes on a client that sends %s and no more", async (_, bytes) => {
      const client = await connectRaw(server.port);
      client.socket.write(bytes, "latin1");
      await client.closed;
    });

    it("closes on a client that sends one byte at a time", async () => {
      const client = await connectRaw(server.port);
      const drip = setInterval(() => client.socket.write("x"), 20);
      client.socket.write(head("/execute", 1000));
      await client.closed;
      clearInterval(drip);
      expect(client.received()).toMatch(/^HTTP\/1\.1 408 /);
    });

    it.each<[string, string, number]>([
      ["no HTTP at all", "\u0000\u0001\r\n\r\n", 400],
      ["another protocol", "GET / SPDY/3\r\n\r\n", 400],
      ["an endless request line", `GET /${"x".repeat(70_000)} HTTP/1.1\r\n\r\n`, 414],
      ["an endless header", `GET / HTTP/1.1\r\nA: ${"x".repeat(70_000)}\r\n\r\n`, 431],
      ["a negative length", head("/execute", 0).replace("Length: 0", "Length: -1"), 400],
      ["two lengths", head("/execute", 1, "Content-Length: 2\r\n"), 400],
      ["a length and chunks", head("/execute", 1, "Transfer-Encoding: chunked\r\n"), 400],
      [
        "a chunk without size",
        `${head("/execute", 0).replace("Content-Length: 0", "Transfer-Encoding: chunked")}zz\r\n`,
        400,
      ],
      ["an announced length of 1 TB", head("/execute", 1e12), 413],
      ["a length of 1 TB with Expect: 100-continue", head("/execute", 1e12, "Expect: 100-continue\r\n"), 413],
      ...REFUSED_HANDSHAKES.map(([name, head, status]): [string, string, number] => [
        name,
        `${head}\r\n`,
        status,
      ]),
    ])("refuses %s", async (_, bytes, status) => {
      const client = await connectRaw(server.port);
      client.socket.write(bytes, "latin1");
      const text = await client.until(/\r\n\r\n.*\}$/s);
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(text).toContain('"error_code":"INVALID_REQUEST"');
      client.socket.destroy();
    });

    it.each(CLOSED_FRAMES)("closes on %s", async (_, bytes, code) => {
      const client = await connectRaw(server.port);
      client.socket.write(UPGRADE);
      await client.until(/\r\n\r\n/);
      client.socket.write(bytes);
      const text = await client.until(/\r\n\r\n.*\u0088../s);
      expect(closeCodeOf(Buffer.from(text, "latin1"))).toBe(code);
      client.socket.end();
      await client.closed;
    });

    it("drops a client that sends much more before it has its answer", async () => {
      const client = await connectRaw(server.port);
      client.socket.write(post("/execute", "wait", "impatient"));
      await server.printed("stderr", /impatient waits/);
      client.socket.write("x".repeat(1 << 20));
      await server.printed("stderr", /impatient was cancelled/);
      await client.closed;
    });
  });

  it("still serves, and printed no errors", async () => {
    const answer = await fetch(`${server.url}/execute`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request("hello")),
    });
    expect(await answer.json()).toMatchObject({ status: "completed" });
    const lines = server.stderr().split("\n");
    expect(lines.filter((line) => line !== "" && !/ (?:waits|was cancelled)$/.test(line))).toEqual([]);
  });
});
