// WebSockets on the server's socket: hands each request for one to the app, then writes its refusal or serves the socket
// until it ends. How frames look is left to the acceptor, which is given from outside, because a server knows no channels.
import { ServerResponse, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { MessageSocket, SocketClose } from "../../core/ports/message-socket.ts";
import type { SocketService } from "./route.ts";

/** Accepts a socket; undefined when the handshake is malformed or the client has gone: the socket is then answered and closed. */
export type AcceptSocket = (upgrade: {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  /** Subprotocol to agree on; undefined for none. */
  protocol: string | undefined;
  /** Headers of the answer, in addition to those of the handshake. */
  headers: Record<string, string>;
}) => MessageSocket | undefined;

/** The answer of the app to a request for a WebSocket. */
export type UpgradeAnswer = Response | AcceptedUpgrade;

export interface AcceptedUpgrade {
  service: SocketService;
  protocol: string | undefined;
  headers: Record<string, string>;
  /** Must be called once. `close` is undefined when no socket was opened; `failure` is the error that the service threw. */
  ended: (close: SocketClose | undefined, failure?: unknown) => void;
}

interface UpgraderOptions {
  /** Passes the request to the app; never rejects. */
  upgrade: (request: Request, peer?: string) => Promise<UpgradeAnswer>;
  accept: AcceptSocket;
  /** Answers a request that asks for another protocol than WebSocket, as if it had asked for none. */
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  /** Makes the answer to an upgrade that is not a valid request. */
  unreadable: () => Response;
}

export interface Upgrader {
  /** Handles Node's `upgrade` event. */
  handle: (incoming: IncomingMessage, raw: Duplex, head: Buffer) => void;
  /** Closes the sockets with 1001 and refuses new ones; resolves when all services have ended. */
  close(): Promise<void>;
  cut(): void;
}

/** Milliseconds that a refused client has to read the reason. */
const LINGER_MS = 1000;
const STOPPING = "the hub is stopping";

export function createUpgrader({ upgrade, accept, answer, unreadable }: UpgraderOptions): Upgrader {
  const raws = new Set<Duplex>();
  const sockets = new Set<MessageSocket>();
  const served = new Set<Promise<void>>();
  let closing = false;

  async function admit(incoming: IncomingMessage, raw: Duplex, head: Buffer): Promise<void> {
    const request = toRequest(incoming);
    if (request === undefined) return refuse(incoming, raw, unreadable());
    const decided = await upgrade(request, incoming.socket.remoteAddress);
    if (!("service" in decided)) return refuse(incoming, raw, decided);
    const { service, protocol, headers, ended } = decided;
    let socket: MessageSocket | undefined;
    try {
      if (!raw.destroyed) socket = accept({ request: incoming, socket: raw, head, protocol, headers });
    } catch (failure) {
      raw.destroy();
      return ended(undefined, failure);
    }
    if (socket === undefined) return ended(undefined);
    await serve(socket, service, ended);
  }

  async function serve(
    socket: MessageSocket,
    service: SocketService,
    ended: AcceptedUpgrade["ended"],
  ): Promise<void> {
    sockets.add(socket);
    void socket.closed.then(() => sockets.delete(socket));
    if (closing) socket.close(1001, STOPPING);
    let failure: unknown;
    try {
      await service.serve(socket);
      socket.close(1000, "");
    } catch (thrown) {
      failure = thrown;
      socket.close(1011, "an internal error");
    }
    ended(await socket.closed, failure);
  }

  return {
    handle(incoming, raw, head) {
      // A client that breaks off is no failure of ours; without a listener it would end the whole process.
      raw.on("error", () => raw.destroy());
      raws.add(raw);
      raw.once("close", () => raws.delete(raw));
      if (incoming.headers.upgrade?.toLowerCase() !== "websocket") {
        answer(incoming, responseOn(raw, incoming));
        return;
      }
      // An error here comes from refusing: the client is disconnected without an answer.
      const done: Promise<void> = admit(incoming, raw, head)
        .catch(() => void raw.destroy())
        .then(() => void served.delete(done));
      served.add(done);
    },
    async close() {
      closing = true;
      for (const socket of sockets) socket.close(1001, STOPPING);
      await Promise.all(served);
    },
    cut() {
      for (const raw of raws) raw.destroy();
    },
  };
}

/** Returns undefined when the upgrade makes no Request: the target is not a path, the Host is invalid, or the method is forbidden. */
function toRequest({ method = "GET", url = "", headers, rawHeaders }: IncomingMessage): Request | undefined {
  const { host = "localhost" } = headers;
  if (!url.startsWith("/") || /[/?#@\\]/.test(host)) return undefined;
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    pairs.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  }
  try {
    return new Request(`http://${host}${url}`, { method, headers: pairs });
  } catch {
    return undefined;
  }
}

async function refuse(incoming: IncomingMessage, raw: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  if (raw.destroyed) return;
  const outgoing = responseOn(raw, incoming);
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    "content-length": body.length,
  });
  outgoing.end(body);
}

/** Returns a response on a socket that Node's server has released; the connection ends with it. */
function responseOn(raw: Duplex, incoming: IncomingMessage): ServerResponse {
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  // Node's HTTP servers upgrade network sockets.
  outgoing.assignSocket(raw as Parameters<ServerResponse["assignSocket"]>[0]);
  outgoing.once("finish", () => {
    raw.end();
    // What the client still sends is read and dropped: closing with unread bytes would discard the answer.
    raw.resume();
    raw.once("end", () => raw.destroy());
    const timer = setTimeout(() => raw.destroy(), LINGER_MS);
    raw.once("close", () => clearTimeout(timer));
  });
  return outgoing;
}
