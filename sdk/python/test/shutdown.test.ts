// A served agent that is asked to stop: tasks are cancelled, answers still go out, sockets close with 1001.
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { NO_PYTHON, request, startAgent, startServer } from "./python-agent.ts";
import { parseFrames } from "../../atp-cases/read-frames.ts";

const JSON_TYPE = { "content-type": "application/json" };

describe.skipIf(NO_PYTHON).concurrent("a served Python agent", () => {
  it.each(["wait", "stubborn"])(
    "cancels running tasks of the kind %s and sends their answers",
    async (kind) => {
      const server = await startServer();
      const init = (id: string): RequestInit => ({
        method: "POST",
        headers: JSON_TYPE,
        body: JSON.stringify(request(kind, { task_id: id })),
      });
      const streamed = fetch(`${server.url}/execute/stream`, init("streamed"));
      const answered = fetch(`${server.url}/execute`, init("answered"));
      const socket = new WebSocket(server.url.replace("http", "ws"), "atp.v1");
      const messages: string[] = [];
      socket.on("message", (data: Buffer) => messages.push(data.toString()));
      const closed = once(socket, "close");
      await once(socket, "open");
      socket.send(JSON.stringify(request(kind, { task_id: "socket" })));
      for (const id of ["streamed", "answered", "socket"]) {
        await server.printed("stderr", new RegExp(`^${id} waits$`, "m"));
      }

      server.child.kill("SIGTERM");

      expect(await (await answered).json()).toMatchObject({ task_id: "answered", status: "cancelled" });
      expect(parseFrames(await (await streamed).text()).at(-1)?.data).toMatchObject({ status: "cancelled" });
      expect(await closed).toMatchObject([1001, expect.anything()]);
      expect(JSON.parse(messages.at(-1) ?? "")).toMatchObject({ task_id: "socket", status: "cancelled" });
      expect(await server.ended).toEqual({ code: 0, signal: null });
    },
  );

  it("prints one line, and stops at once when nothing runs", async () => {
    const server = await startServer();
    server.child.kill("SIGINT");
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(
      server
        .stdout()
        .split("\n")
        .filter((line) => line.startsWith("listening")),
    ).toHaveLength(1);
  });

  it("reports an address that is taken or invalid", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const busy = startAgent(["--serve", String((taken.address() as AddressInfo).port)]);
    expect(await busy.ended).toMatchObject({ code: 1 });
    expect(busy.stderr()).toContain("cannot listen");
    taken.close();
    const wrong = startAgent(["--serve", "nowhere"]);
    expect(await wrong.ended).toMatchObject({ code: 2 });
    expect(wrong.stderr()).toContain("host:port");
  });

  it("listens on the given address", async () => {
    const server = startAgent(["--serve", "localhost:0"]);
    const [, url = ""] = await server.printed("stdout", /listening on (\S+)/);
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    server.child.kill("SIGTERM");
    await server.ended;
  });
});
