import { once } from "node:events";
import { createServer, request as send, type IncomingHttpHeaders, type Server } from "node:http";
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from "node:net";
import { text as readText } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { createProxy, type Proxy, type ProxyOptions } from "./proxy.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function listen(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

async function site(): Promise<{ port: number; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body });
      response.writeHead(
        201,
        "Made",
        [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
          ["x-own", "yes"],
          ["connection", "x-private"],
          ["x-private", "only for the next hop"],
        ].flat(),
      );
      response.end(`hello ${url}`);
    });
  });
  closers.push(() => (server.closeAllConnections(), server.close()));
  return { port: await listen(server), seen };
}

/** Every name leads to this machine. */
const here: ProxyOptions["lookUp"] = async () => [{ address: "127.0.0.1", family: 4 }];

async function open(allowHosts: string[], lookUp = here): Promise<{ proxy: Proxy; port: number }> {
  const proxy = createProxy({ allowHosts, ...(lookUp && { lookUp }) });
  closers.push(() => proxy.close());
  return { proxy, port: await listen(proxy.server) };
}

interface Answer {
  status: number;
  message: string;
  headers: NodeJS.Dict<string[]>;
  body: string;
}

function ask(
  proxyPort: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { method = "GET", headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = send(
      { host: "127.0.0.1", port: proxyPort, path, method, headers, agent: false },
      (response) => {
        readText(response).then((text) => {
          const { statusCode = 0, statusMessage = "", headersDistinct } = response;
          resolve({ status: statusCode, message: statusMessage, headers: headersDistinct, body: text });
        }, reject);
      },
    );
    request.once("error", reject);
    request.end(body);
  });
}

/** What a raw client gets until the proxy closes the connection. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  socket.write(bytes);
  const answer = await readText(socket);
  socket.destroy();
  return answer;
}

async function tunnel(port: number, to: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`);
  const [head] = (await once(socket, "data")) as [Buffer];
  expect(head.toString()).toBe("HTTP/1.1 200 Connection Established\r\n\r\n");
  return socket;
}

describe("a request with a whole address", () => {
  it("is passed on to a host of the list, and so is its answer", async () => {
    const { port, seen } = await site();
    const { port: proxy } = await open([`site.test:${port}`]);
    const answer = await ask(proxy, `http://site.test:${port}/a/b?c=d`, {
      method: "POST",
      body: "some text",
      headers: {
        host: "another.test",
        "x-kept": "1",
        "proxy-authorization": "Basic abc",
        connection: "x-gone",
        "x-gone": "1",
        "content-length": "9",
      },
    });
    expect(answer).toMatchObject({ status: 201, message: "Made", body: "hello /a/b?c=d" });
    expect(answer.headers).toMatchObject({ "set-cookie": ["a=1", "b=2"], "x-own": ["yes"] });
    expect(answer.headers).not.toHaveProperty("x-private");
    expect(seen).toMatchObject([{ method: "POST", url: "/a/b?c=d", body: "some text" }]);
    expect(seen[0]?.headers).toMatchObject({ host: `site.test:${port}`, "x-kept": "1" });
    for (const name of ["proxy-authorization", "x-gone"]) expect(seen[0]?.headers).not.toHaveProperty(name);
  });

  it("keeps its body, however it is framed", async () => {
    const { port, seen } = await site();
    const { port: proxy } = await open([`site.test:${port}`]);
    const url = `http://site.test:${port}/`;
    await ask(proxy, url, { method: "POST", body: "in pieces", headers: { "transfer-encoding": "chunked" } });
    await ask(proxy, url, { method: "GET", body: "unusual", headers: { "transfer-encoding": "chunked" } });
    expect(seen.map(({ method, body }) => [method, body])).toEqual([
      ["POST", "in pieces"],
      ["GET", "unusual"],
    ]);
  });

  it("is refused when it is no whole address", async () => {
    const { proxy, port } = await open(["site.test"]);
    for (const path of ["/relative", "https://site.test/", "ftp://site.test/"]) {
      expect(await ask(port, path)).toMatchObject({
        status: 400,
        body: expect.stringContaining("this is a proxy") as string,
      });
    }
    expect(proxy.decisions()).toEqual({ allowed: {}, refused: { "(malformed)": 3 } });
  });

  it("says when nobody answers there, and when the name leads nowhere", async () => {
    const closed = createTcpServer();
    const port = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const { port: proxy } = await open([`site.test:${port}`, "nowhere.test"], async (host) => {
      if (host === "nowhere.test") throw Object.assign(new Error("no"), { code: "ENOTFOUND" });
      return [{ address: "127.0.0.1", family: 4 }];
    });
    expect(await ask(proxy, `http://site.test:${port}/`)).toMatchObject({
      status: 502,
      body: `site.test:${port} does not answer: ECONNREFUSED\n`,
    });
    expect(await ask(proxy, "http://nowhere.test/")).toMatchObject({
      status: 502,
      body: "nowhere.test could not be resolved: ENOTFOUND\n",
    });
  });
});

describe("CONNECT", () => {
  async function echo(): Promise<number> {
    const server = createTcpServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
    closers.push(() => server.close());
    return listen(server);
  }

  it("carries bytes both ways, also after one end has said its last", async () => {
    const port = await echo();
    const { proxy, port: at } = await open([`site.test:${port}`]);
    const socket = await tunnel(at, `site.test:${port}`);
    socket.end("over and out");
    expect(await readText(socket)).toBe("over and out");
    expect(proxy.decisions().allowed).toEqual({ [`site.test:${port}`]: 1 });
  });

  it("carries what came together with the request", async () => {
    const port = await echo();
    const { port: at } = await open([`site.test:${port}`]);
    const socket = connect({ host: "127.0.0.1", port: at, allowHalfOpen: true });
    socket.end(`CONNECT site.test:${port} HTTP/1.1\r\n\r\nearly`);
    expect(await readText(socket)).toBe("HTTP/1.1 200 Connection Established\r\n\r\nearly");
  });

  it("says when nobody answers there", async () => {
    const closed = createTcpServer();
    const port = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const { port: at } = await open([`site.test:${port}`]);
    const answer = await exchange(at, `CONNECT site.test:${port} HTTP/1.1\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 502 Bad Gateway\r\n/);
    expect(answer).toContain("does not answer: ECONNREFUSED");
  });

  it("ends with the host's connection, and with the proxy", async () => {
    const held: Socket[] = [];
    const server = createTcpServer((socket) => held.push(socket));
    closers.push(() => server.close());
    const port = await listen(server);
    const { proxy, port: at } = await open([`site.test:${port}`]);
    const first = await tunnel(at, `site.test:${port}`);
    const firstClosed = once(first, "close");
    held[0]?.destroy();
    first.resume().on("end", () => first.end());
    await firstClosed;
    const second = await tunnel(at, `site.test:${port}`);
    const gone = [once(second, "close"), once(held[1] as Socket, "close")];
    second
      .on("error", () => {})
      .on("end", () => second.end())
      .resume();
    held[1]?.on("error", () => {}).resume();
    await proxy.close();
    await Promise.all(gone);
  });
});

describe("a host that is not on the allow-list", () => {
  it.each([
    "http://evil.test/",
    "http://site.test:8080/",
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::ffff:127.0.0.1]/",
    "http://site.test.evil.test/",
    "http://site.test@evil.test/",
  ])("is refused: %s", async (url) => {
    const { proxy, port } = await open(["site.test"]);
    const answer = await ask(port, url);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatch(
      /^this environment may not reach .*\nit may reach: site.test \(ports 80 and 443/,
    );
    expect(Object.values(proxy.decisions().refused)).toEqual([1]);
    expect(proxy.decisions().allowed).toEqual({});
  });

  it.each(["evil.test:443", "site.test:22", "127.0.0.1:443", "[::1]:443", "0x7f000001:443"])(
    "is refused to CONNECT: %s",
    async (target) => {
      const { port } = await open(["site.test"]);
      const answer = await exchange(port, `CONNECT ${target} HTTP/1.1\r\nHost: site.test\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 403 Forbidden\r\n/);
      expect(answer).toContain("this environment may not reach");
    },
  );

  it("is never looked up", async () => {
    const asked: string[] = [];
    const { port } = await open(["site.test"], async (host) => {
      asked.push(host);
      return [];
    });
    await ask(port, "http://evil.test/");
    expect(asked).toEqual([]);
  });
});

describe("a name that leads to an address that is not public", () => {
  it.each(["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "fd00:ec2::254"])(
    "is refused when only something above it is on the list: %s",
    async (address) => {
      const { port } = await open(["*.wild.test"], async () => [
        { address, family: address.includes(":") ? 6 : 4 },
      ]);
      expect(await ask(port, "http://a.wild.test/")).toMatchObject({
        status: 403,
        body: "this environment may not reach a.wild.test:80: it leads to an address that is not public\n",
      });
    },
  );

  it("is reached when the list names it", async () => {
    const { port } = await site();
    const { port: proxy } = await open([`*.wild.test:${port}`, `a.wild.test:${port}`, `127.0.0.1:${port}`]);
    expect(await ask(proxy, `http://a.wild.test:${port}/`)).toMatchObject({ status: 201 });
    expect(await ask(proxy, `http://b.wild.test:${port}/`)).toMatchObject({ status: 403 });
    expect(await ask(proxy, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 201 });
  });

  it("is resolved once: the connection goes to the address that was looked at", async () => {
    const { port } = await site();
    let times = 0;
    const { port: proxy } = await open([`a.wild.test:${port}`], async () => {
      times++;
      return [{ address: "127.0.0.1", family: 4 }];
    });
    await ask(proxy, `http://a.wild.test:${port}/`);
    expect(times).toBe(1);
  });
});

describe("bad clients of the proxy", () => {
  it.each([
    ["no HTTP", "HELLO\r\n\r\n", 400],
    ["too long a head", `GET http://site.test/ HTTP/1.1\r\nx: ${"a".repeat(100_000)}\r\n\r\n`, 431],
    ["CONNECT to no host", "CONNECT nonsense HTTP/1.1\r\n\r\n", 400],
  ])("that send %s are answered and disconnected", async (_, bytes, status) => {
    const { port } = await open(["site.test"]);
    expect(await exchange(port, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("get no more than the allowed number of connections", async () => {
    const { proxy, port } = await open(["site.test"]);
    const limit = proxy.server.maxConnections;
    const sockets = Array.from({ length: limit + 1 }, () => connect({ host: "127.0.0.1", port }));
    closers.push(() => sockets.forEach((socket) => socket.destroy()));
    const dropped = once(proxy.server, "drop");
    for (const socket of sockets) socket.on("error", () => {});
    await dropped;
  });

  it("cannot fill the counter", async () => {
    const { proxy, port } = await open(["site.test"]);
    const socket = connect({ host: "127.0.0.1", port });
    const names = Array.from(
      { length: 1100 },
      (_, index) => `GET http://n${index}.test/ HTTP/1.1\r\nHost: a\r\n\r\n`,
    );
    socket.destroy();
    for (const bytes of names) await exchange(port, bytes);
    const { refused } = proxy.decisions();
    expect(Object.keys(refused).length).toBe(1001);
    expect(refused["(others)"]).toBe(100);
  });
});
