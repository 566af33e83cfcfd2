// One gRPC call to the server: who may make it, and how long its request may take to arrive, is decided before a byte of it is read;
// then it goes to its service.
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import {
  Code,
  ConnectError,
  createConnectRouter,
  type ConnectRouter,
  type Interceptor,
} from "@connectrpc/connect";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import type { Caller } from "../../core/caller.ts";
import { BINARY_OPTIONS } from "./binary-options.ts";
import { valuesWith } from "./caller-of.ts";
import { refusalOf } from "./status.ts";

export interface CallOptions {
  register: (router: ConnectRouter) => void;
  /** Returns the caller; nothing stands for the operator. Throws a ProctorError when the caller may not. The request has no body. */
  authorize: (request: Request, service: string, address?: string) => Authorized | Promise<Authorized>;
  /** Aborts when the caller may no longer go on; undefined for one that always may. */
  ended?: (caller: Caller) => AbortSignal | undefined;
  maxMessageBytes: number;
  /** Time after which a request that has not arrived whole is given up, in milliseconds. */
  requestTimeoutMs: number;
  onError: (problem: unknown) => void;
}

/** The caller; nothing where callers are not told apart. */
type Authorized = Caller | void;

export interface CallServer {
  handle: (request: Http2ServerRequest, response: Http2ServerResponse) => void;
  services: ReadonlySet<string>;
}

/** Only the binary form is served: services may be described one level deep, and such a description has no JSON form. */
const CONTENT_TYPE = /^application\/grpc(\+proto)?\s*(;|$)/i;
/** The longest deadline that a timer can measure; with a longer one it would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Size from which responses are compressed, in bytes: never, because clients are near. */
const NEVER = 0xffff_ffff;

export function createCallServer(options: CallOptions): CallServer {
  const { authorize, requestTimeoutMs, onError } = options;
  const router = createConnectRouter({
    connect: false,
    grpcWeb: false,
    acceptCompression: [compressionGzip],
    compressMinBytes: NEVER,
    readMaxBytes: options.maxMessageBytes,
    binaryOptions: BINARY_OPTIONS,
    interceptors: [translateErrors(onError)],
  });
  options.register(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  const services = new Set(router.handlers.map(({ service }) => service.typeName));

  async function serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    if (!CONTENT_TYPE.test(request.headers["content-type"] ?? "")) {
      return answer(response, { ":status": 415 });
    }
    try {
      const { handler, caller } = await admit(request);
      if (caller) endWith(caller, response);
      const call = universalRequestFromNodeRequest(request, response, undefined, valuesWith(caller));
      if (timeoutMs(call.header.get("grpc-timeout")) > MAX_TIMER_MS) call.header.delete("grpc-timeout");
      if (arrivesWhole(handler)) {
        const late = setTimeout(() => refuse(response, tooSlow()), requestTimeoutMs);
        request.once("end", () => clearTimeout(late));
        request.once("close", () => clearTimeout(late));
      }
      const answered = await handler(call);
      await universalResponseToNodeResponse(
        {
          ...answered,
          ...(answered.body && { body: endedByClose(answered.body, response.stream) }),
          // Known only when the last message was sent, and not asked for before.
          get trailer() {
            return corrected(answered.trailer);
          },
        },
        response,
      );
    } catch (problem) {
      // A caller that hung up needs no answer, and is no error of ours.
      if (!response.stream.destroyed) refuse(response, refusalOf(problem, onError));
    }
  }

  async function admit(
    request: Http2ServerRequest,
  ): Promise<{ handler: UniversalHandler; caller: Caller | undefined }> {
    const path = request.url.split("?", 1)[0] ?? "";
    const handler = handlers.get(path);
    const [, service = ""] = path.split("/");
    const caller = (await authorize(asRequest(request), service, request.socket.remoteAddress)) ?? undefined;
    if (handler) return { handler, caller };
    const what = services.has(service) ? `${service} has no such method` : `there is no service "${service}"`;
    throw new ConnectError(what.slice(0, 200), Code.Unimplemented);
  }

  /** Ends a call with the token of its caller. */
  function endWith(caller: Caller, response: Http2ServerResponse): void {
    const ended = options.ended?.(caller);
    if (ended === undefined) return;
    const cut = (): void => response.stream.close(constants.NGHTTP2_CANCEL);
    ended.addEventListener("abort", cut, { once: true });
    response.stream.once("close", () => ended.removeEventListener("abort", cut));
  }

  return { services, handle: (request, response) => void serve(request, response) };
}

/** Whether the client says everything before it listens. A stream of its own may last as long as the connection, which pings keep. */
function arrivesWhole({ method }: UniversalHandler): boolean {
  return method.methodKind === "unary" || method.methodKind === "server_streaming";
}

/**
 * The machinery waits for a client to read on, even when it is gone. Then the messages are ended here, so that their producer learns
 * of it.
 */
function endedByClose(
  body: AsyncIterable<Uint8Array>,
  stream: Http2ServerResponse["stream"],
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const messages = body[Symbol.asyncIterator]();
      stream.once("close", () => void messages.return?.().catch(() => undefined));
      return messages;
    },
  };
}

/** Turns the hub's errors into gRPC statuses; bugs are reported, and their messages are not sent. */
function translateErrors(onBug: (problem: unknown) => void): Interceptor {
  async function* guarded<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* messages;
    } catch (problem) {
      throw refusalOf(problem, onBug);
    }
  }
  return (next) => async (request) => {
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: guarded(response.message) } : response;
    } catch (problem) {
      throw refusalOf(problem, onBug);
    }
  };
}

/** The call as a request, for the rules that HTTP callers are held to. `:authority` is the host, whatever a header claims. */
function asRequest({ headers, authority, url }: Http2ServerRequest): Request {
  const plain = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    plain.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const target = `http://${authority}${url}`;
  if (!URL.canParse(target)) throw new ConnectError("the authority is not valid", Code.InvalidArgument);
  plain.set("host", new URL(target).host);
  return new Request(target, { method: "POST", headers: plain });
}

/** A response without messages: gRPC's "Trailers-Only". What the client still sends is not read. */
function refuse(response: Http2ServerResponse, error: ConnectError): void {
  answer(response, {
    ":status": 200,
    "content-type": "application/grpc+proto",
    ...Object.fromEntries(error.metadata),
    "grpc-status": String(error.code),
    "grpc-message": encodeGrpcMessage(error.rawMessage),
  });
}

function answer({ stream }: Http2ServerResponse, headers: Record<string, string | number>): void {
  if (stream.destroyed) return;
  if (stream.headersSent) {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  stream.respond(headers, { endStream: true });
  if (stream.readableEnded) return;
  // A turn later: some versions of Node would close it before the headers are out.
  setImmediate(() => {
    if (!stream.destroyed) stream.close(constants.NGHTTP2_NO_ERROR);
  });
}

/**
 * The machinery encodes more of the text than gRPC asks for, which not every client decodes; and takes bytes that are no
 * message for its own error.
 */
function corrected(trailer: Headers | undefined): Headers {
  const result = new Headers(trailer);
  const message = result.get("grpc-message");
  if (message === null) return result;
  const text = decodeURIComponent(message);
  result.set("grpc-message", encodeGrpcMessage(text));
  if (text.startsWith("parse binary:")) result.set("grpc-status", String(Code.InvalidArgument));
  return result;
}

/** gRPC over HTTP/2, "Percent-Encoded": all but printable ASCII, and the percent sign. */
function encodeGrpcMessage(text: string): string {
  return text.toWellFormed().replaceAll(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent);
}

const UNITS_MS: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000_001 };

function timeoutMs(header: string | null): number {
  const [, amount = "0", unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(header ?? "") ?? [];
  return Number(amount) * (UNITS_MS[unit] ?? 0);
}

function tooSlow(): ConnectError {
  return new ConnectError("the request did not arrive in time", Code.DeadlineExceeded);
}
