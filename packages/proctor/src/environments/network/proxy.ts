// An HTTP proxy that lets through to the hosts of a list and to no other: requests with a whole URL, and CONNECT. A name is resolved
// here, once, and the connection goes to an address that was looked at.
import { createServer, STATUS_CODES, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import { formatTarget, parseAllowList, parseTarget, canonicalHost, type Target } from "./allow-list.ts";
import { createDecisionCounter, type Decisions } from "./decisions.ts";
import { joinSockets } from "./join-sockets.ts";
import { lookUp as lookUpHere, type Address, type LookUp } from "./look-up.ts";
import { openTarget, type Destination } from "./open-target.ts";
import { passRequest } from "./pass-request.ts";
import { isPublicAddress } from "../../runtime/addresses/public-address.ts";

export interface ProxyOptions {
  allowHosts: readonly string[];
  lookUp?: LookUp;
}

export interface Proxy {
  /** The server, which does not listen yet. */
  server: Server;
  decisions(): Decisions;
  /** Cuts the connections that are open. */
  close(): Promise<void>;
}

/** Where a request may go, or why it may not. */
type Decision = Destination | { status: number; text: string };

const MAX_CONNECTIONS = 64;
const MAX_HEADER_BYTES = 32 * 1024;
/** Milliseconds that a client has to send the head of a request; below, for the whole of it. */
const HEAD_MS = 15_000;
const REQUEST_MS = 300_000;
const TUNNEL_IDLE_MS = 600_000;
/** Milliseconds that a client has to read its refusal before the connection is closed. */
const LAST_WORD_MS = 2000;

export function createProxy({ allowHosts, lookUp = lookUpHere }: ProxyOptions): Proxy {
  const list = parseAllowList(allowHosts);
  const counter = createDecisionCounter();
  const sockets = new Set<Socket>();
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEAD_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: HEAD_MS,
    connectionsCheckingInterval: 5000,
  });
  server.maxConnections = MAX_CONNECTIONS;

  function refuse(name: string, status: number, text: string): Decision {
    counter.count("refused", name);
    return { status, text: `${text}\n` };
  }

  async function decide(target: Target | undefined): Promise<Decision> {
    if (target === undefined) return refuse("(malformed)", 400, "that is no host and port");
    const name = formatTarget(target);
    const found = list.find(target);
    if (found === undefined) {
      const allowed = `it may reach: ${list.entries.join(", ") || "none"} (ports 80 and 443 unless one is named)`;
      return refuse(name, 403, `this environment may not reach ${name}\n${allowed}`);
    }
    let known: readonly Address[];
    try {
      known = await lookUp(target.host);
    } catch (error) {
      counter.count("allowed", name);
      return { status: 502, text: `${target.host} could not be resolved: ${reasonOf(error)}\n` };
    }
    // The user who named the host itself knows where it is. A name below a listed one may be anybody's, and lead anywhere.
    const addresses = found === "named" ? known : known.filter(({ address }) => isPublicAddress(address));
    if (addresses.length === 0) {
      return refuse(
        name,
        403,
        `this environment may not reach ${name}: it leads to an address that is not public`,
      );
    }
    counter.count("allowed", name);
    return { target, addresses };
  }

  async function tunnel(request: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
    client.on("error", () => {});
    const decision = await decide(parseTarget(request.url ?? ""));
    if (client.destroyed) return;
    if ("status" in decision) return answer(client, decision.status, decision.text);
    const upstream = openTarget(decision);
    sockets.add(upstream);
    upstream.once("close", () => sockets.delete(upstream));
    const giveUp = (): void => void upstream.destroy();
    client.once("close", giveUp);
    const unreachable = (error: Error): void =>
      answer(client, 502, `${formatTarget(decision.target)} does not answer: ${reasonOf(error)}\n`);
    upstream.once("error", unreachable);
    upstream.once("connect", () => {
      upstream.off("error", unreachable);
      client.off("close", giveUp);
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) upstream.write(head);
      joinSockets(client, upstream, TUNNEL_IDLE_MS);
    });
  }

  async function pass(request: IncomingMessage, response: Parameters<typeof passRequest>[1]): Promise<void> {
    const { url = "" } = request;
    const parsed = /^http:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
    const host = parsed && canonicalHost(parsed.hostname);
    const decision: Decision =
      parsed === undefined || host === undefined
        ? refuse(
            "(malformed)",
            400,
            "this is a proxy: it takes CONNECT, and requests with a whole http:// address",
          )
        : await decide({ host, port: parsed.port === "" ? 80 : Number(parsed.port) });
    if (response.destroyed) return;
    if ("status" in decision || parsed === undefined) {
      const { status, text } = "status" in decision ? decision : { status: 400, text: "" };
      response
        .writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" })
        .end(text);
      return;
    }
    passRequest(request, response, parsed, decision);
  }

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", (request, response) => void pass(request, response));
  server.on("connect", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    void tunnel(request, socket, head);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    if (error.code === "HPE_HEADER_OVERFLOW")
      return answer(socket, 431, "the head of the request is too long\n");
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT")
      return answer(socket, 408, "the request did not come in time\n");
    answer(socket, 400, "that is no HTTP request\n");
  });

  return {
    server,
    decisions: () => counter.read(),
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

function answer(socket: Socket, status: number, text: string): void {
  if (!socket.writable) return void socket.destroy();
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(text)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
  // The rest of the request is read and dropped: a connection that is closed before that loses the answer.
  socket.resume();
  const patience = setTimeout(() => socket.destroy(), LAST_WORD_MS);
  socket.once("close", () => clearTimeout(patience));
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}
