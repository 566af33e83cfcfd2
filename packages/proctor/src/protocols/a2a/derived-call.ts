// A call that is made for another: with its headers and its signal, which are only made where somebody looks at them.
import type { A2aCall, A2aVersion, Binding } from "./service.ts";

export interface Derivation {
  /** Aborts where the call ends differently from the one that it derives from. */
  signal?: AbortSignal;
  version?: A2aVersion;
  /** The client's position in a stream of the called service: that of another service means nothing to it. */
  lastEventId?: string | undefined;
}

export class DerivedCall implements A2aCall {
  readonly version: A2aVersion;
  readonly binding: Binding;
  readonly extensions: readonly string[];
  readonly origin: string;
  readonly basePath: string;
  readonly traceId: string;
  readonly lastEventId?: string;
  readonly #signal: AbortSignal | undefined;
  readonly #call: A2aCall;

  constructor(call: A2aCall, { signal, version = call.version, lastEventId }: Derivation) {
    this.version = version;
    this.binding = call.binding;
    this.extensions = call.extensions;
    this.origin = call.origin;
    this.basePath = call.basePath;
    this.traceId = call.traceId;
    if (lastEventId !== undefined) this.lastEventId = lastEventId;
    this.#signal = signal;
    this.#call = call;
  }

  get headers(): A2aCall["headers"] {
    return this.#call.headers;
  }

  get signal(): AbortSignal {
    return this.#signal ?? this.#call.signal;
  }
}
