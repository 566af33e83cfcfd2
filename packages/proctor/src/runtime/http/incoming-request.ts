// A request on Node's socket as a Request. Its method, address and headers are read where Node has them, and its body in one piece; the
// signal, and everything else that a Request has, is made when somebody asks for it.
import type { IncomingMessage, ServerResponse } from "node:http";
import { incomingHeaders } from "./incoming-headers.ts";

class IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #headers: Headers | undefined;
  #leaving: AbortController | undefined;
  #real: Request | undefined;
  /** True once the body was read in one piece, so that nothing is left for a stream. */
  #isRead = false;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, url: string) {
    this.method = incoming.method ?? "GET";
    this.url = url;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
  }

  get headers(): Headers {
    return (this.#headers ??= incomingHeaders(this.#incoming));
  }

  /** Aborts when the client leaves before its answer was sent. */
  get signal(): AbortSignal {
    if (this.#leaving) return this.#leaving.signal;
    const leaving = new AbortController();
    const outgoing = this.#outgoing;
    const check = (): void => {
      if (!outgoing.writableFinished) leaving.abort(new Error("the client closed the connection"));
    };
    if (outgoing.destroyed) check();
    else outgoing.once("close", check);
    this.#leaving = leaving;
    return leaving.signal;
  }

  get real(): Request {
    if (this.#real) return this.#real;
    const { method, url, signal } = this;
    const headers = new Headers(this.headers);
    const hasBody = method !== "GET" && method !== "HEAD";
    const body = hasBody ? { body: bodyOf(this.#incoming, this.#isRead), duplex: "half" as const } : {};
    this.#real = new Request(url, { method, headers, signal, ...body });
    return this.#real;
  }

  /** Undefined where the body is no longer, or never was, on the socket alone. */
  static readWhole(request: Request): Promise<Buffer> | undefined {
    if (!(#incoming in request) || request.#real || request.#isRead) return undefined;
    const { method } = request;
    if (method === "GET" || method === "HEAD") return undefined;
    request.#isRead = true;
    return readWhole(request.#incoming);
  }
}

// Everything else that a Request has is the real one's.
Object.setPrototypeOf(IncomingRequest.prototype, Request.prototype);
const OWN = new Set(["constructor", "method", "url", "headers", "signal"]);
type Method = (...given: unknown[]) => unknown;
for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(globalRequest()))) {
  if (OWN.has(name)) continue;
  const member = name as keyof Request;
  Object.defineProperty(
    IncomingRequest.prototype,
    name,
    typeof value === "function"
      ? {
          value(this: IncomingRequest, ...given: unknown[]): unknown {
            const { real } = this;
            return Reflect.apply(real[member] as Method, real, given);
          },
        }
      : {
          get(this: IncomingRequest): unknown {
            return this.real[member];
          },
        },
  );
}

/** Where the members of a Request are: an adapter may have put a class of its own in front of Node's. */
function globalRequest(): object {
  let prototype: object = Request.prototype;
  while (!Object.hasOwn(prototype, "arrayBuffer")) prototype = Object.getPrototypeOf(prototype) as object;
  return prototype;
}

export function incomingRequest(incoming: IncomingMessage, outgoing: ServerResponse, url: string): Request {
  // It has everything that a Request has, by its prototype.
  return new IncomingRequest(incoming, outgoing, url) as unknown as Request;
}

/**
 * The whole body of a request that came in here, without building a stream; undefined for every other. It has at most the size that the
 * request declares, for which Node vouches. Rejects when the body is cut off.
 */
export function readIncoming(request: Request): Promise<Buffer> | undefined {
  return IncomingRequest.readWhole(request);
}

function readWhole(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const end = (): void => {
      const [first] = chunks;
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
    };
    const cut = (): void => reject(incoming.errored ?? new Error("the connection was closed"));
    if (incoming.destroyed) {
      // A client that sent everything and left at once has been heard all the same.
      const left: unknown = incoming.complete ? incoming.read() : null;
      if (Buffer.isBuffer(left) && left.length === Number(incoming.headers["content-length"])) resolve(left);
      else cut();
      return;
    }
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", end);
    // After the end it changes nothing.
    incoming.on("close", cut);
  });
}

/** Nothing is read ahead, and whoever stops reading leaves the connection for the answer. */
function bodyOf(incoming: IncomingMessage, isRead: boolean): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Buffer> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        if (isRead) return controller.close();
        chunks ??= incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
