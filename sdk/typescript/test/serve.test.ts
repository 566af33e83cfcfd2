import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { serve } from "../src/index.ts";
import { EXAMPLE, type Message, request, startAgent, TASK_ID } from "./run-agent.ts";

const JSON_TYPE = { "content-type": "application/json" };

async function startServer(
  args: string[] = ["--serve"],
  program?: string,
): Promise<ReturnType<typeof startAgent> & { url: string }> {
  const agent = startAgent(args, program);
  const [line] = (await once(agent.child.stdout, "data")) as [string];
  return { ...agent, url: /^listening on (http:\/\/\S+)\n$/.exec(line)?.[1] ?? "" };
}

function post(url: string, description: string, more: object = {}): Promise<Response> {
  return fetch(url, { method: "POST", headers: JSON_TYPE, body: JSON.stringify(request(description, more)) });
}

describe("a TypeScript agent with --serve", () => {
  test("the example serves HTTP and WebSocket on one port of this machine", async () => {
    const { url, child, ended } = await startServer(["--serve"], EXAMPLE);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await (await post(`${url}/execute`, "Say hello")).json()).toMatchObject({ status: "completed" });
    const socket = new WebSocket(url.replace("http", "ws"), "atp.v1");
    await once(socket, "open");
    const messages: Message[] = [];
    socket.on("message", (data) => messages.push(JSON.parse((data as Buffer).toString()) as Message));
    socket.send(JSON.stringify(request("Say hello")));
    while (messages.length < 3) await once(socket, "message");
    expect(messages.map(({ sequence, status }) => sequence ?? status)).toEqual([0, 1, "completed"]);
    socket.close();
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });

  test("SIGTERM cancels what runs, tells every client, and exits although the agent hangs", async () => {
    const { url, child, ended } = await startServer();
    const socket = new WebSocket(url.replace("http", "ws"), "atp.v1");
    await once(socket, "open");
    const closed = once(socket, "close");
    const messages: Message[] = [];
    socket.on("message", (data) => messages.push(JSON.parse((data as Buffer).toString()) as Message));
    socket.send(JSON.stringify(request("hang")));
    await once(socket, "message");
    const stream = await post(`${url}/execute/stream`, "wait");
    child.kill("SIGTERM");
    expect(await stream.text()).toContain('"status":"cancelled"');
    expect((await closed)[0]).toBe(1001);
    expect(messages.at(-1)).toMatchObject({ task_id: TASK_ID, status: "cancelled" });
    expect((await ended).code).toBe(0);
  });

  test("what the agent prints goes to stderr without secrets, and uncaught errors do not end the server", async () => {
    const { url, child, ended } = await startServer();
    const context = { environment: { TOKEN: "s3cr3t-t0ken" } };
    await (await post(`${url}/execute`, "leak", { context })).text();
    await (await post(`${url}/execute`, "print")).text();
    expect(await (await post(`${url}/execute`, "stray")).json()).toMatchObject({
      error: "nobody catches this",
    });
    expect((await post(`${url}/execute`, "echo")).status).toBe(200);
    child.kill("SIGTERM");
    const { stdout, stderr } = await ended;
    expect(stdout).toBe(`listening on ${url}\n`);
    expect(stderr).toContain("plain [redacted:TOKEN]\n");
    expect(stderr).not.toContain("s3cr3t-t0ken");
  });

  test.for([
    { args: ["--serve=nonsense"] },
    { args: ["--serve", "127.0.0.1:99999"] },
    { args: ["--serve", "::1:80"] },
  ])("refuses $args with exit code 2", async ({ args }) => {
    const { ended } = startAgent(args);
    const { code, stderr, stdout } = await ended;
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("--serve needs a port or host:port");
  });

  test("a port that is taken is reported, with exit code 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { ended } = startAgent(["--serve", String(port)]);
    const { code, stderr } = await ended;
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain("EADDRINUSE");
  });
});

describe("the process of a TypeScript agent", () => {
  test("SIGTERM before a request ends it without a response", async () => {
    const { child, ended, seen } = startAgent(["--hello"]);
    child.stdin.write('{"version":');
    await seen("stderr", "hello");
    child.kill("SIGTERM");
    const { code, stdout } = await ended;
    expect([code, stdout]).toEqual([143, ""]);
  });

  test("a reader that went away does not make it hang or crash", async () => {
    const { child, seen, ended } = startAgent();
    child.stdin.end(`${JSON.stringify(request("wait"))}\n`);
    await seen("stderr", "waiting");
    child.stdout.destroy();
    child.kill("SIGTERM");
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).not.toContain("EPIPE");
  });

  test("serve leaves it alone when the caller gives the streams", async () => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const listeners = process.listenerCount("SIGTERM");
    const served = serve((task, emit) => (emit.progress({ message: "here" }), task.input), {
      argv: [],
      stdin,
      stdout,
      stderr,
    });
    stdin.end(JSON.stringify(request("echo")));
    await served;
    expect(JSON.parse(String(stdout.read()))).toMatchObject({ status: "completed" });
    expect(JSON.parse(String(stderr.read()))).toMatchObject({ event_type: "progress", sequence: 0 });
    expect(process.listenerCount("SIGTERM")).toBe(listeners);
  });
});
