// Calls operations of an agent over any of its interfaces, and remembers each call: what it gave, or which error, what was wrong with its
// form, and what was on the wire. Nothing that an agent does is thrown.
import type { HttpClient } from "../../../channels/http/client.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { messageOf } from "../../../core/message-of.ts";
import { newTraceId } from "../../../core/trace.ts";
import { ANONYMOUS, type ClientAuth } from "../client/auth/client-auth.ts";
import { createJsonWire } from "../client/create-a2a-client.ts";
import { transportError } from "../client/transport-failure.ts";
import { createWireService, type Wire } from "../client/wire-service.ts";
import type { WireProblem } from "../codec.ts";
import { codecOf } from "../codecs.ts";
import { A2aError } from "../errors.ts";
import { failure } from "../../../core/failure.ts";
import { createGrpcWire } from "../grpc/wire.ts";
import { protoJson03 } from "../grpc/proto-json-0_3.ts";
import { grpcOperation } from "../grpc/services.ts";
import type { A2aCall, A2aOperation, A2aService, StreamFrame } from "../service.ts";
import type { Endpoint } from "./endpoint.ts";
import { recordHttp } from "./record-http.ts";
import { namedHeaders, type Transcript } from "./transcript.ts";

export interface Attempt<T> {
  value?: T;
  /** Error that the agent answered with, or that the connection failed with. */
  error?: A2aError;
  /** What was wrong with the form of a usable answer. */
  problems: WireProblem[];
  transcript: Transcript;
  /** True when no answer came within the limit. */
  timedOut: boolean;
}

export interface Heard extends Omit<Attempt<never>, "value"> {
  frames: StreamFrame[];
  /** How the stream ended: by the agent, by us, or by an error. */
  ended: "closed" | "left" | "broken";
}

/** Credentials that go with a call. */
export interface Identity {
  auth: ClientAuth;
  headers: Readonly<Record<string, string>>;
}

export interface CallOptions {
  /** Credentials in place of the agent's own. */
  as?: Identity;
  lastEventId?: string;
  /** Extensions in place of those that the card requires. */
  extensions?: readonly string[];
  /** Limit of this call in milliseconds, in place of the usual one. */
  timeoutMs?: number;
}

export interface ListenOptions extends CallOptions {
  /** Called for each frame; returns true when no more are wanted. */
  onFrame?: (frame: StreamFrame, frames: readonly StreamFrame[]) => boolean | void;
}

export interface CallerOptions {
  http: HttpClient;
  identity: Identity;
  timeoutMs: number;
  signal: AbortSignal;
  hideUrl: (url: URL) => string;
  extensions: () => readonly string[];
}

export interface Caller {
  /** Talks below the codec, in the version's own JSON, and does not interpret what comes. */
  exchange<T>(
    endpoint: Endpoint,
    talk: (wire: Wire, call: A2aCall) => Promise<T>,
    options?: CallOptions,
  ): Promise<Attempt<T>>;
  ask<T>(
    endpoint: Endpoint,
    operate: (service: A2aService, call: A2aCall) => Promise<T>,
    options?: CallOptions,
  ): Promise<Attempt<T>>;
  listen(
    endpoint: Endpoint,
    open: (service: A2aService, call: A2aCall) => ReturnType<A2aService["stream"]>,
    options?: ListenOptions,
  ): Promise<Heard>;
}

/** Most frames of a stream that are kept: an agent that never stops would fill the memory until the time limit. */
export const MAX_FRAMES = 10_000;

export function tooLong(): Error {
  return new Error(`the stream has more than ${MAX_FRAMES} frames`);
}

export const NOBODY: Identity = { auth: ANONYMOUS, headers: {} };

export function createCaller(options: CallerOptions): Caller {
  const { http, identity, timeoutMs, signal, hideUrl } = options;
  const wires = new Map<Identity, Map<string, Wire>>();

  function wireOf({ name, url, version }: Endpoint, as: Identity): Wire {
    const ofIdentity = wires.get(as) ?? new Map<string, Wire>();
    wires.set(as, ofIdentity);
    const wire =
      ofIdentity.get(name) ?? createGrpcWire({ url, version, auth: as.auth, metadata: as.headers });
    ofIdentity.set(name, wire);
    return wire;
  }

  /** Opens the way to an agent for one call, and records the exchange. */
  function openWire(endpoint: Endpoint, as: Identity) {
    const sent = endpoint.mayHaveCredentials ? as : NOBODY;
    if (endpoint.binding === "GRPC") {
      const transcript = emptyTranscript(endpoint, sent);
      const wire = recordWire(wireOf(endpoint, sent), endpoint, transcript);
      return { wire, transcript: () => transcript };
    }
    const recorder = recordHttp(http, hideUrl);
    const headers = { "user-agent": "proctor", ...sent.headers };
    const wire = createJsonWire({ interface: endpoint.interface, http: recorder, auth: sent.auth, headers });
    const transcript = (): Transcript => recorder.transcripts.at(-1) ?? emptyTranscript(endpoint, sent);
    return { wire, transcript };
  }

  /** Opens a service for one call, and records the exchange. */
  function open(endpoint: Endpoint, as: Identity) {
    const { interface: spoken, binding, version } = endpoint;
    const problems: WireProblem[] = [];
    const { wire, transcript } = openWire(endpoint, as);
    const hasPlace = binding !== "GRPC" || version === "1.0";
    const service = createWireService({
      wire,
      codec: binding === "GRPC" && version === "0.3" ? protoJson03 : codecOf(version, binding),
      ...(spoken.tenant !== undefined && hasPlace && { tenant: spoken.tenant }),
      onProblem: (problem) => void problems.push(problem),
    });
    return { service, problems, transcript };
  }

  function callOf({ version, binding }: Endpoint, limit: AbortSignal, more: CallOptions): A2aCall {
    const { lastEventId, extensions = options.extensions() } = more;
    return {
      version,
      binding,
      headers: {},
      extensions,
      ...(lastEventId !== undefined && { lastEventId }),
      origin: "",
      basePath: "",
      traceId: newTraceId(),
      signal: limit,
    };
  }

  return {
    async exchange(endpoint, talk, more = {}) {
      const time = AbortSignal.timeout(more.timeoutMs ?? timeoutMs);
      const { wire, transcript } = openWire(endpoint, more.as ?? identity);
      try {
        const value = await talk(wire, callOf(endpoint, AbortSignal.any([signal, time]), more));
        return { value, problems: [], transcript: transcript(), timedOut: false };
      } catch (thrown) {
        return { error: errorOf(thrown), problems: [], transcript: transcript(), timedOut: time.aborted };
      }
    },

    async ask(endpoint, operate, more = {}) {
      const time = AbortSignal.timeout(more.timeoutMs ?? timeoutMs);
      const { service, problems, transcript } = open(endpoint, more.as ?? identity);
      try {
        const call = callOf(endpoint, AbortSignal.any([signal, time]), more);
        const value = await operate(service, call);
        return { value, problems, transcript: transcript(), timedOut: false };
      } catch (thrown) {
        return { error: errorOf(thrown), problems, transcript: transcript(), timedOut: time.aborted };
      }
    },

    async listen(endpoint, opening, more = {}) {
      const time = AbortSignal.timeout(more.timeoutMs ?? timeoutMs);
      const { service, problems, transcript } = open(endpoint, more.as ?? identity);
      const frames: StreamFrame[] = [];
      const heard = (rest: Pick<Heard, "ended"> & { error?: A2aError }): Heard => ({
        frames,
        problems,
        transcript: transcript(),
        timedOut: time.aborted,
        ...rest,
      });
      try {
        const call = callOf(endpoint, AbortSignal.any([signal, time]), more);
        for await (const frame of await opening(service, call)) {
          frames.push(frame);
          if (frames.length > MAX_FRAMES) throw tooLong();
          if (more.onFrame?.(frame, frames) === true) return heard({ ended: "left" });
        }
        return heard({ ended: "closed" });
      } catch (thrown) {
        return heard({ ended: "broken", error: errorOf(thrown) });
      }
    },
  };
}

function errorOf(thrown: unknown): A2aError {
  if (thrown instanceof A2aError) return thrown;
  return transportError(failure("INVALID_RESPONSE", messageOf(thrown)));
}

function emptyTranscript({ url, binding }: Endpoint, { headers }: Identity): Transcript {
  return {
    method: binding === "GRPC" ? "gRPC" : "POST",
    url: url.href,
    headers: namedHeaders(headers),
    received: "",
    durationMs: 0,
  };
}

function recordWire(wire: Wire, { url, version }: Endpoint, transcript: Transcript): Wire {
  function begin(operation: A2aOperation, params: JsonObject | undefined): void {
    const method = grpcOperation(version, operation)?.method;
    transcript.url = `grpc://${url.host}/${method?.parent.typeName ?? ""}/${method?.name ?? operation}`;
    transcript.body = JSON.stringify(params ?? {});
  }
  async function watching<T>(answer: Promise<T>, show: (value: T) => string): Promise<T> {
    try {
      const value = await answer;
      transcript.received = show(value);
      return value;
    } catch (thrown) {
      transcript.trouble = messageOf(thrown);
      throw thrown;
    }
  }
  return {
    ask(operation, params, call) {
      begin(operation, params);
      return watching(wire.ask(operation, params, call), (value: Json) => JSON.stringify(value));
    },
    open(operation, params, call, read) {
      begin(operation, params);
      return watching(wire.open(operation, params, call, read), () => "(a stream)");
    },
  };
}
