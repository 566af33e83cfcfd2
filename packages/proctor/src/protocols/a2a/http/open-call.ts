// What a request carries beside its parameters, as services get it.
import { LazyAbortController } from "../../../core/lazy-abort-controller.ts";
import { clientOrigin } from "../../../runtime/http/client-origin.ts";
import type { A2aCall, A2aVersion } from "../service.ts";
import type { HttpBinding, ServerCall } from "./serving.ts";

export interface OpenCall {
  call: A2aCall;
  /** Ends the call: aborts its signal, and removes all listeners. */
  end(): void;
}

interface Spoken {
  version: A2aVersion;
  binding: HttpBinding;
}

/** Header of each version that lists the extensions that a client asks for, and those that it gets. */
export const EXTENSIONS_HEADER: Readonly<Record<A2aVersion, string>> = {
  "1.0": "A2A-Extensions",
  "0.3": "X-A2A-Extensions",
};

/** Clients of either version may use either name. */
const EXTENSION_HEADERS = Object.values(EXTENSIONS_HEADER);

export function openCall(
  request: Request,
  host: ServerCall,
  spoken: Spoken,
  stopping: AbortSignal,
): OpenCall {
  const ending = new Ending(request, stopping);
  return { call: new HttpCall(request, host, spoken, ending), end: () => ending.end() };
}

/** Listens to the client and the server only when the end of a call is awaited; most calls are over before that. */
class Ending {
  readonly #request: Request;
  readonly #stopping: AbortSignal;
  readonly #over = new LazyAbortController();
  #listens = false;

  constructor(request: Request, stopping: AbortSignal) {
    this.#request = request;
    this.#stopping = stopping;
  }

  get signal(): AbortSignal {
    if (!this.#listens && !this.#over.aborted) {
      this.#listens = true;
      for (const signal of [this.#request.signal, this.#stopping]) {
        signal.addEventListener("abort", this.#leave, { once: true });
        if (signal.aborted) this.end();
      }
    }
    return this.#over.signal;
  }

  end(): void {
    this.#over.abort();
    if (!this.#listens) return;
    this.#request.signal.removeEventListener("abort", this.#leave);
    this.#stopping.removeEventListener("abort", this.#leave);
  }

  readonly #leave = (): void => this.end();
}

/** Makes values that are expensive, and that not every service reads, only when they are read. A copy is therefore a DerivedCall. */
class HttpCall implements A2aCall {
  readonly version: A2aVersion;
  readonly binding: HttpBinding;
  readonly extensions: readonly string[];
  readonly origin: string;
  readonly basePath: string;
  readonly traceId: string;
  readonly lastEventId?: string;
  readonly #request: Request;
  readonly #ending: Ending;
  #headers: A2aCall["headers"] | undefined;

  constructor(
    request: Request,
    { traceId, basePath }: ServerCall,
    { version, binding }: Spoken,
    ending: Ending,
  ) {
    const { origin, prefix } = clientOrigin(request);
    const lastEventId = request.headers.get("last-event-id");
    this.version = version;
    this.binding = binding;
    this.extensions = readExtensions(request.headers);
    this.origin = origin;
    this.basePath = prefix + basePath;
    this.traceId = traceId;
    if (lastEventId !== null && lastEventId !== "") this.lastEventId = lastEventId;
    this.#request = request;
    this.#ending = ending;
  }

  get headers(): A2aCall["headers"] {
    return (this.#headers ??= Object.fromEntries(this.#request.headers));
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }
}

export function readExtensions(headers: Headers): readonly string[] {
  const listed = EXTENSION_HEADERS.flatMap((name) => headers.get(name)?.split(",") ?? []);
  if (listed.length === 0) return listed;
  return [...new Set(listed.map((uri) => uri.trim()).filter((uri) => uri !== ""))];
}
