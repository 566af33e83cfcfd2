// Calls to gRPC servers, HTTP/2 in the clear or over TLS. Calls to one origin share a connection, which closes when it is idle and never
// keeps the process from exiting.
import { createHash } from "node:crypto";
import { connect as connectSocket, type Socket } from "node:net";
import type { DescService } from "@bufbuild/protobuf";
import { createClient, type Client, type Transport } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { TlsIdentity } from "../http/client.ts";
import { BINARY_OPTIONS } from "./binary-options.ts";
import { openSecureSocket, type TlsTrouble } from "./secure-socket.ts";

export interface GrpcClientOptions {
  /** Address of the server: `grpc://host:port`, or `grpcs://host:port` over TLS. */
  url: string;
  /** Identity and trusted certificates over TLS; no identity, and the well-known authorities, when absent. */
  tls?: TlsIdentity;
  /** Limit of a message in bytes, above which it is refused; 64 MB when absent. */
  maxMessageBytes?: number;
  /** Limit for connecting, in milliseconds; 10 s when absent. */
  connectTimeoutMs?: number;
}

export interface GrpcClient<S extends DescService> {
  service: Client<S>;
  /**
   * Opens the connection before a call, so that an agent that cannot be reached is told apart from one that does not answer. Throws
   * what went wrong, or the signal's reason.
   */
  connect: (signal: AbortSignal) => Promise<void>;
  /** Called when the other end has gone silent: later calls get a new connection, and calls on this one keep it. */
  distrust: () => void;
}

export interface ConnectedGrpcClient<S extends DescService> extends GrpcClient<S> {
  /** For calls of methods that are chosen by their descriptors. */
  transport: Transport;
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_MS = 5_000;
const MAX_KNOWN = 100;
/** Milliseconds between TCP keep-alives. Many servers take frequent HTTP/2 pings for an attack, so the system checks the other end. */
const TCP_KEEP_ALIVE_MS = 15_000;
const SETTINGS = { enablePush: false, initialWindowSize: 1024 * 1024, maxHeaderListSize: 64 * 1024 };

interface Line {
  key: string;
  manager: Http2SessionManager;
  transport: Transport;
  /** Number of callers that wait for the connection to open. */
  waiting: number;
  /** The newest socket of the connection. */
  socket?: Socket;
  /** Why the newest attempt over TLS failed. */
  trouble?: TlsTrouble | undefined;
}

const lines = new Map<string, Line>();

export function createGrpcClient<S extends DescService>(
  service: S,
  options: GrpcClientOptions,
): ConnectedGrpcClient<S> {
  const line = lineTo(options.url, options.tls ?? {}, options.maxMessageBytes ?? MAX_MESSAGE_BYTES);
  const { manager, transport, key } = line;
  const timeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  return {
    service: createClient(service, transport),
    transport,
    distrust() {
      if (lines.get(key) === line) lines.delete(key);
    },
    async connect(signal) {
      signal.throwIfAborted();
      line.waiting += 1;
      let leave = (): void => undefined;
      const left = new Promise<"left">((resolve) => (leave = () => resolve("left")));
      const late = setTimeout(() => giveUp(`no connection within ${timeoutMs / 1000} s`), timeoutMs);
      signal.addEventListener("abort", leave);
      try {
        const state = await Promise.race([manager.connect(), left]);
        signal.throwIfAborted();
        if (line.trouble) throw line.trouble;
        if (state === "error") throw manager.error();
      } finally {
        clearTimeout(late);
        signal.removeEventListener("abort", leave);
        line.waiting -= 1;
        // Others may wait for the same attempt.
        if (line.waiting === 0) giveUp("called off");
      }
    },
  };

  /** Gives up an attempt to connect; a connection that exists may be in use. */
  function giveUp(why: string): void {
    if (manager.state() !== "connecting") return;
    manager.abort(new Error(why));
    // A session that is dropped waits for its socket, which would wait for its peer.
    line.socket?.destroy();
  }
}

function lineTo(url: string, tls: TlsIdentity, maxMessageBytes: number): Line {
  const baseUrl = url.replace(/^grpc(s?):/, "http$1:");
  // Connections of other identities are kept apart.
  const identity = createHash("sha256")
    .update(JSON.stringify([tls.ca, tls.cert, tls.key]))
    .digest("hex");
  const key = `${new URL(baseUrl).origin} ${maxMessageBytes} ${identity}`;
  const known = lines.get(key);
  if (known) return known;
  forgetUnused();
  const createConnection = (origin: URL): Socket => {
    line.trouble = undefined;
    return (line.socket = openSocket(origin, tls, (trouble) => (line.trouble = trouble)));
  };
  const manager = new Http2SessionManager(
    baseUrl,
    { idleConnectionTimeoutMs: IDLE_MS },
    { settings: SETTINGS, createConnection },
  );
  const transport = createGrpcTransport({
    baseUrl,
    sessionManager: manager,
    readMaxBytes: maxMessageBytes,
    acceptCompression: [],
    binaryOptions: BINARY_OPTIONS,
  });
  const line: Line = { key, manager, transport, waiting: 0 };
  lines.set(key, line);
  return line;
}

function forgetUnused(): void {
  if (lines.size < MAX_KNOWN) return;
  for (const [key, { manager }] of lines) {
    if (["closed", "error"].includes(manager.state())) lines.delete(key);
  }
}

function openSocket(origin: URL, tls: TlsIdentity, onTrouble: (trouble: TlsTrouble) => void): Socket {
  const isSecure = origin.protocol === "https:";
  const host = origin.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(origin.port || (isSecure ? 443 : 80));
  const socket = isSecure ? openSecureSocket({ host, port, tls }, onTrouble) : connectSocket({ host, port });
  return socket.setNoDelay(true).setKeepAlive(true, TCP_KEEP_ALIVE_MS);
}
