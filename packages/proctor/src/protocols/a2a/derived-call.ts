// A call that is made for another: with its headers, which are only read where somebody looks at them, and a signal of its own.
import type { A2aCall, A2aVersion, Binding } from "./service.ts";

/** Where the client was in a stream says nothing to another service, and is left out. */
export class DerivedCall implements A2aCall {
  readonly version: A2aVersion;
  readonly binding: Binding;
  readonly extensions: readonly string[];
  readonly origin: string;
  readonly basePath: string;
  readonly traceId: string;
  readonly signal: AbortSignal;
  readonly #call: A2aCall;

  constructor(call: A2aCall, signal: AbortSignal, version: A2aVersion = call.version) {
    this.version = version;
    this.binding = call.binding;
    this.extensions = call.extensions;
    this.origin = call.origin;
    this.basePath = call.basePath;
    this.traceId = call.traceId;
    this.signal = signal;
    this.#call = call;
  }

  get headers(): A2aCall["headers"] {
    return this.#call.headers;
  }
}
