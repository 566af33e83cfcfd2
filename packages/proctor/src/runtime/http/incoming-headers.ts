// The headers of a request as Node has parsed them. Asking for one costs a look at an object; whatever else a Headers can do is left to a
// real one, made at that moment.
import type { IncomingMessage } from "node:http";

/** Headers of which Node keeps the first where a Headers joins all. */
const KEPT_ONCE: ReadonlySet<string> = new Set([
  "age",
  "authorization",
  "content-length",
  "content-type",
  "etag",
  "expires",
  "from",
  "host",
  "if-modified-since",
  "if-unmodified-since",
  "last-modified",
  "location",
  "max-forwards",
  "proxy-authorization",
  "referer",
  "retry-after",
  "server",
  "user-agent",
]);

class IncomingHeaders {
  readonly #incoming: IncomingMessage;
  #real: Headers | undefined;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get real(): Headers {
    if (this.#real) return this.#real;
    const headers = new Headers();
    const { rawHeaders } = this.#incoming;
    for (let index = 0; index < rawHeaders.length; index += 2)
      headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
    this.#real = headers;
    return headers;
  }

  get(name: string): string | null {
    const value = this.#real ? undefined : this.#lookUp(name.toLowerCase());
    return value === undefined ? this.real.get(name) : value;
  }

  has(name: string): boolean {
    const value = this.#real ? undefined : this.#lookUp(name.toLowerCase());
    return value === undefined ? this.real.has(name) : value !== null;
  }

  /** Undefined where only a Headers can say. */
  #lookUp(name: string): string | null | undefined {
    const { headers } = this.#incoming;
    if (!Object.hasOwn(headers, name)) return null;
    const value = headers[name];
    if (typeof value !== "string") return undefined;
    return KEPT_ONCE.has(name) && this.#isRepeated(name) ? undefined : value;
  }

  #isRepeated(name: string): boolean {
    const { rawHeaders } = this.#incoming;
    let count = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const raw = rawHeaders[index] ?? "";
      if (raw.length === name.length && raw.toLowerCase() === name) count += 1;
    }
    return count > 1;
  }
}

// Everything else that a Headers has is the real one's.
Object.setPrototypeOf(IncomingHeaders.prototype, Headers.prototype);
const OWN = new Set(["constructor", "get", "has"]);
for (const name of [...Object.getOwnPropertyNames(Headers.prototype), Symbol.iterator]) {
  // Every member of a Headers is a method.
  const method = Headers.prototype[name as "entries"] as unknown;
  if (typeof method !== "function" || OWN.has(String(name))) continue;
  Object.defineProperty(IncomingHeaders.prototype, name, {
    value(this: IncomingHeaders, ...given: unknown[]): unknown {
      return Reflect.apply(method, this.real, given);
    },
  });
}

export function incomingHeaders(incoming: IncomingMessage): Headers {
  // It has everything that a Headers has, by its prototype.
  return new IncomingHeaders(incoming) as unknown as Headers;
}
