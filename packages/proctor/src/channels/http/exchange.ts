// One request and the head of its answer. Every way this can end is a value; nothing is thrown, nothing stays open.
import { request as requestPlain, type ClientRequest, type IncomingHttpHeaders } from "node:http";
import { request as requestSecure, type RequestOptions } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { openBody, type HttpBody } from "./body.ts";
import {
  CLOSED,
  connectTimeout,
  isHangUp,
  troubleOf,
  unsendable,
  type HttpTrouble,
  type Stage,
} from "./trouble.ts";

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: HttpBody;
}

export type Exchange =
  | { kind: "answered"; answer: HttpAnswer }
  | {
      kind: "failed";
      trouble: HttpTrouble;
      /** True for a kept connection that the server had given up: it hung up at once, without a byte of an answer. */
      stale: boolean;
    };

export interface ExchangeOptions extends RequestOptions {
  secure: boolean;
  /** The body; absent for a request without one. */
  content?: string | Uint8Array;
  connectTimeoutMs: number;
}

/** A hang-up later than this is no sign of a connection that was dead before the request. */
const STALE_MS = 1000;
/** Most 1xx answers before the real one. */
const MAX_INTERIM_ANSWERS = 100;

export function exchange(options: ExchangeOptions, signal: AbortSignal): Promise<Exchange> {
  const { secure, content, connectTimeoutMs, ...rest } = options;
  return new Promise((resolve) => {
    let stage: Stage = "connecting";
    let trouble: HttpTrouble | undefined;
    let request: ClientRequest;
    let connecting: NodeJS.Timeout | undefined;
    let reused: { since: number; bytesRead: number } | undefined;
    let interimAnswers = 0;

    function fail(failed: HttpTrouble, stale = false): void {
      trouble ??= failed;
      resolve({ kind: "failed", trouble, stale });
      request.destroy();
    }

    function connected(): void {
      stage = "sent";
      clearTimeout(connecting);
    }

    function watchConnecting(socket: Socket): void {
      connecting = setTimeout(() => fail(connectTimeout(stage, connectTimeoutMs)), connectTimeoutMs);
      if (!secure) return void socket.once("connect", connected);
      if (socket.connecting) socket.once("connect", () => (stage = "handshaking"));
      else stage = "handshaking";
      socket.once("secureConnect", connected);
    }

    const leave = (): void => fail(CLOSED);
    if (signal.aborted) return resolve({ kind: "failed", trouble: CLOSED, stale: false });
    try {
      request = (secure ? requestSecure : requestPlain)(rest);
    } catch (cause) {
      return resolve({ kind: "failed", trouble: unsendable(cause), stale: false });
    }
    signal.addEventListener("abort", leave);

    request.on("socket", (socket) => {
      // A request that used the socket before may have called `unref`.
      socket.ref();
      // Until a handshake is complete, alpnProtocol is null.
      const unsecured = secure && (socket as TLSSocket).alpnProtocol === null;
      if (socket.connecting || unsecured) return watchConnecting(socket);
      stage = "sent";
      reused = { since: performance.now(), bytesRead: socket.bytesRead };
    });
    request.on("information", () => {
      if (++interimAnswers <= MAX_INTERIM_ANSWERS) return;
      fail({ kind: "malformed", code: "INTERIM_FLOOD", message: "sent interim answers without end" });
    });
    request.on("upgrade", (_answer, socket: Socket) => {
      socket.destroy();
      fail({ kind: "malformed", code: "UPGRADE", message: "switched to another protocol, unasked" });
    });
    request.on("response", (incoming) => {
      const body = openBody(request, incoming, () => trouble ?? LOST);
      resolve({
        kind: "answered",
        answer: { status: incoming.statusCode ?? 0, headers: incoming.headers, body },
      });
    });
    // Comes before the answer, or in the middle of its body.
    request.on("error", (error: NodeJS.ErrnoException) => {
      const untouched = reused !== undefined && request.socket?.bytesRead === reused.bytesRead;
      const soon = reused !== undefined && performance.now() - reused.since < STALE_MS;
      fail(troubleOf(error, stage), untouched && soon && isHangUp(error));
    });
    request.on("close", () => {
      clearTimeout(connecting);
      signal.removeEventListener("abort", leave);
      // Changes nothing after an answer or an error.
      resolve({ kind: "failed", trouble: trouble ?? LOST, stale: false });
    });
    request.end(content);
  });
}

const LOST: HttpTrouble = { kind: "lost", code: "ECONNRESET", message: "broke off the connection" };
