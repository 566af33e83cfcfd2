import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { openForward, type Forward, type ForwardRequest } from "./forward.ts";
import { sweepForwards } from "./forward-dir.ts";
import { SYSTEM_ONLY } from "../../../test/support/bwrap.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { moduleLiteral, scriptArgs } from "../../../test/support/source-script.ts";

const run = promisify(execFile);
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function stateDir(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "proctor-forward-")));
  closers.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function open(request: Partial<ForwardRequest>): Promise<Forward> {
  const forward = await openForward({
    enter: [],
    stateDir: await stateDir(),
    id: "test",
    ports: [],
    ...request,
  });
  closers.push(() => forward.close());
  return forward;
}

async function listen(server: Server | TcpServer): Promise<number> {
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const hello = (): Server => createServer((request, response) => response.end(`hello ${request.url}`));

/** Processes whose directory is below that one; from source, with the compiler's own. */
function bridgesIn(dir: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(`${dir}/`)
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });
}

const forwardsIn = (dir: string): string[] =>
  existsSync(join(dir, "network")) ? readdirSync(join(dir, "network")) : [];

const linux = process.platform === "linux";
if (!linux) process.stderr.write("skipped: forwarding into environments: it needs Linux\n");

describe.skipIf(!linux)("a forward", () => {
  it("starts nothing when it has no ports and no hosts", async () => {
    const dir = await stateDir();
    const forward = await open({ stateDir: dir, enter: ["false"] });
    expect(forward.env).toEqual({});
    expect(forward.decisions()).toEqual({ allowed: {}, refused: {} });
    expect(forwardsIn(dir)).toEqual([]);
  });

  it("says where its proxy is, in every spelling, and leaves nothing behind", async () => {
    const dir = await stateDir();
    const forward = await open({ stateDir: dir, allowHosts: ["example.test"] });
    const { HTTP_PROXY: url = "", ...others } = forward.env;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(others).toMatchObject({ HTTPS_PROXY: url, http_proxy: url, https_proxy: url });
    expect(others["NO_PROXY"]).toBe("localhost,127.0.0.1,::1");
    expect(bridgesIn(dir)).not.toEqual([]);
    await Promise.all([forward.close(), forward.close()]);
    await eventually(() => expect(bridgesIn(dir)).toEqual([]));
    expect(forwardsIn(dir)).toEqual([]);
  });

  it("works where the path is longer than a socket's may be", async () => {
    const dir = join(await stateDir(), "a".repeat(90), "b".repeat(90));
    const { env } = await open({ stateDir: dir, allowHosts: ["example.test"] });
    const answer = await fetch(env["HTTP_PROXY"] ?? "");
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("this is a proxy");
  });

  it.each([
    [["false"], "it does not answer"],
    [["sh", "-c", "echo no such namespace >&2; exit 1"], "no such namespace"],
    [["/nonexistent/program"], "ENOENT"],
  ])("that cannot be connected says why, and leaves nothing behind: %j", async (enter, why) => {
    const dir = await stateDir();
    await expect(open({ stateDir: dir, enter, allowHosts: [] })).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringContaining(why) as string,
    });
    expect(forwardsIn(dir)).toEqual([]);
  });

  it("leaves nothing behind when it is aborted while it opens", async () => {
    const dir = await stateDir();
    const stop = new AbortController();
    const opening = open({
      stateDir: dir,
      enter: ["sh", "-c", "sleep 60"],
      allowHosts: [],
      signal: stop.signal,
    });
    await eventually(() => expect(bridgesIn(dir)).not.toEqual([]));
    stop.abort();
    await expect(opening).rejects.toThrow("aborted");
    await eventually(() => expect(bridgesIn(dir)).toEqual([]));
    expect(forwardsIn(dir)).toEqual([]);
  });

  it.each([0, 70_000, 1.5])("refuses the port %d", async (port) => {
    await expect(open({ ports: [port] })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  it("dies with the process that opened it, and what it left is swept", async () => {
    const dir = await stateDir();
    const module = moduleLiteral("./forward.ts", import.meta.url);
    const script = `import { openForward } from ${module};
      await openForward({ enter: [], stateDir: ${JSON.stringify(dir)}, id: "x", ports: [], allowHosts: [] });
      console.log("open"); setInterval(() => {}, 1000);`;
    const hub = spawn(process.execPath, scriptArgs(script), {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(createInterface(hub.stdout), "line");
    expect(bridgesIn(dir)).not.toEqual([]);
    await sweepForwards(dir);
    expect(forwardsIn(dir)).toHaveLength(1);
    hub.kill("SIGKILL");
    await once(hub, "exit");
    await eventually(() => expect(bridgesIn(dir)).toEqual([]));
    await sweepForwards(dir);
    expect(forwardsIn(dir)).toEqual([]);
  });
});

const reason = whyNoNamespaces();
if (reason !== undefined) process.stderr.write(`skipped: forwarding into a network namespace: ${reason}\n`);

describe.skipIf(reason !== undefined)("a forward into a network namespace", () => {
  /** A namespace with nothing but its loopback; resolves with what enters it. */
  async function namespace(): Promise<string[]> {
    const keeper = spawn(
      "bwrap",
      ["--unshare-net", "--die-with-parent", ...SYSTEM_ONLY, "--info-fd", "3", "sleep", "infinity"],
      { stdio: ["ignore", "ignore", "inherit", "pipe"] },
    );
    closers.push(async () => {
      keeper.kill("SIGKILL");
      await once(keeper, "exit");
    });
    let text = "";
    for await (const chunk of keeper.stdio[3] as Readable) text += String(chunk);
    const { "child-pid": pid } = JSON.parse(text) as { "child-pid": number };
    return ["nsenter", "-t", `${pid}`, "-n"];
  }

  async function inside(enter: readonly string[], script: string): Promise<string> {
    const [file = "", ...args]: string[] = [...enter, process.execPath, "--input-type=module", "-e", script];
    return (await run(file, args, { maxBuffer: 1e8 })).stdout.trim();
  }

  const get = (url: string): string =>
    `console.log(await fetch("${url}").then((r) => r.text(), (e) => String(e.cause?.code ?? e)));`;
  const getThrough = (proxy: string, url: string): string =>
    `import { request } from "node:http";
     const { hostname, port } = new URL("${proxy}");
     request({ hostname, port, path: "${url}" }, async (r) => {
       let text = ""; for await (const c of r) text += c; console.log(r.statusCode, text);
     }).end();`;

  it("reaches the given ports of this machine under the same address, no others, and no other network", async () => {
    const enter = await namespace();
    const [port, other] = [await listen(hello()), await listen(hello())];
    await open({ enter, ports: [port] });
    expect(await inside(enter, get(`http://127.0.0.1:${port}/there`))).toBe("hello /there");
    expect(await inside(enter, get(`http://127.0.0.1:${other}/`))).toBe("ECONNREFUSED");
    expect(await inside(enter, get("http://192.0.2.1/"))).toBe("ENETUNREACH");
  });

  it("carries many bytes both ways, and each end of a connection by itself", async () => {
    const enter = await namespace();
    const echo = createTcpServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
    const port = await listen(echo);
    await open({ enter, ports: [port] });
    const script = `import { connect } from "node:net"; import { createHash, randomBytes } from "node:crypto";
      const sent = randomBytes(20_000_000); const socket = connect({ port: ${port}, host: "127.0.0.1", allowHalfOpen: true });
      socket.end(sent); const back = createHash("sha256"); for await (const c of socket) back.update(c);
      console.log(back.digest("hex") === createHash("sha256").update(sent).digest("hex"));`;
    expect(await inside(enter, script)).toBe("true");
  });

  it("reaches hosts of the list through the proxy, refuses others, and counts both", async () => {
    const enter = await namespace();
    const [port, other] = [await listen(hello()), await listen(hello())];
    const forward = await open({ enter, allowHosts: [`127.0.0.1:${port}`] });
    const proxy = forward.env["http_proxy"] ?? "";
    expect(await inside(enter, getThrough(proxy, `http://127.0.0.1:${port}/x`))).toBe("200 hello /x");
    expect(await inside(enter, getThrough(proxy, `http://127.0.0.1:${other}/x`))).toMatch(
      /^403 this environment may not/,
    );
    expect(forward.decisions()).toEqual({
      allowed: { [`127.0.0.1:${port}`]: 1 },
      refused: { [`127.0.0.1:${other}`]: 1 },
    });
    // It listens there, not here, where somebody else may have the same port.
    const there = await inside(enter, get(proxy));
    const here = await fetch(proxy).then(
      async (answer) => `${answer.status} ${await answer.text()}`,
      () => "nobody",
    );
    expect(here).not.toBe(there);
    await forward.close();
    expect(await inside(enter, get(proxy))).toBe("ECONNREFUSED");
  });

  it("reports a port that is taken in the namespace", async () => {
    const enter = await namespace();
    const port = await listen(hello());
    await open({ enter, ports: [port] });
    await expect(open({ enter, ports: [port] })).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringContaining("EADDRINUSE") as string,
    });
  });
});

function whyNoNamespaces(): string | undefined {
  if (!linux) return "it needs Linux";
  if (process.getuid?.() !== 0) return "it needs root";
  for (const program of ["bwrap", "nsenter"]) {
    if (spawnSync(program, ["--version"]).status !== 0) return `there is no ${program} here`;
  }
  const tried = spawnSync("bwrap", ["--unshare-net", ...SYSTEM_ONLY, "true"]);
  return tried.status === 0 ? undefined : `bwrap cannot make one: ${tried.stderr.toString().trim()}`;
}
