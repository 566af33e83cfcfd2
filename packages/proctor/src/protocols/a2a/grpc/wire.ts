// The binding gRPC on the wire, as a client: specification 1.0, section 10; 0.3, section 3.2.2. Parameters and results are the ProtoJSON of the
// version's .proto.
import type { Message } from "@bufbuild/protobuf";
import { unreachable } from "../../../channels/grpc/call-failure.ts";
import { createGrpcClient } from "../../../channels/grpc/client.ts";
import { metadataProblem } from "../../../channels/grpc/metadata.ts";
import { ProtoFormatError } from "../../../channels/grpc/proto-reader.ts";
import { failure } from "../../../core/failure.ts";
import type { JsonObject } from "../../../core/json.ts";
import { ANONYMOUS, type ClientAuth } from "../client/auth/client-auth.ts";
import type { JsonFrame } from "../client/read-frames.ts";
import { serviceParameters } from "../client/service-parameters.ts";
import { transportError, unusable } from "../client/transport-failure.ts";
import type { Wire } from "../client/wire-service.ts";
import type { Loss } from "../codec.ts";
import { A2aError } from "../errors.ts";
import type { A2aCall, A2aOperation, A2aVersion } from "../service.ts";
import { readStatus } from "./read-status.ts";
import { A2A_SERVICES, grpcOperation, streamMethod, unaryMethod, type GrpcOperation } from "./services.ts";

export interface GrpcWireOptions {
  /** Address as `grpc://host:port`, or `grpcs://host:port` over TLS. */
  url: URL;
  version: A2aVersion;
  /** Credentials for the server; the caller has checked that it may get them. */
  auth?: ClientAuth;
  /** Metadata of every call. */
  metadata?: Readonly<Record<string, string>>;
  /** Picks the headers of a call that go with it: those that a gateway passes on. None when absent. */
  passOn?: (headers: A2aCall["headers"]) => Record<string, string>;
  /** Limit of a message in bytes, above which it is refused; 64 MB when absent. */
  maxMessageBytes?: number;
  /** Limit for connecting, in milliseconds; 10 s when absent. */
  connectTimeoutMs?: number;
  /** Called with what a request holds that the .proto cannot carry. */
  onLoss?: (loss: Loss) => void;
}

export function createGrpcWire(options: GrpcWireOptions): Wire {
  const { url, version, auth = ANONYMOUS, metadata = {}, passOn, onLoss } = options;
  const origin = `${url.protocol}//${url.host}`;
  const client = createGrpcClient(A2A_SERVICES[version], {
    ...options,
    url: origin,
    ...(auth.tls && { tls: auth.tls }),
  });

  async function headersOf(call: A2aCall): Promise<Headers> {
    const headers = { ...metadata, ...passOn?.(call.headers), ...serviceParameters(version, call) };
    await auth.apply({ url: new URL(origin.replace(/^grpc/, "http")), headers }, call.signal);
    const problem = metadataProblem(headers);
    if (problem !== undefined) throw transportError(failure("INVALID_REQUEST", problem));
    return new Headers(headers);
  }

  async function connect(signal: AbortSignal): Promise<void> {
    try {
      await client.connect(signal);
    } catch (problem) {
      throw transportError(unreachable(origin, problem));
    }
  }

  /** Tries once more with other credentials, where there are any. */
  async function calling<T>(
    operation: A2aOperation,
    call: A2aCall,
    attempt: (headers: Headers) => Promise<T>,
  ): Promise<T> {
    const once = async (): Promise<T> => {
      try {
        const headers = await headersOf(call);
        await connect(call.signal);
        return await attempt(headers);
      } catch (problem) {
        throw call.signal.aborted ? left(origin) : readStatus(problem, operation, origin);
      }
    };
    try {
      return await once();
    } catch (error) {
      // A server that stays silent may be gone: the next call gets a connection of its own.
      if (call.signal.aborted) client.distrust();
      if (!(error instanceof A2aError) || error.reason !== "UNAUTHENTICATED" || !auth.renew()) throw error;
      return await once();
    }
  }

  function requestOf(wanted: GrpcOperation, params: JsonObject): Message {
    const losses: Loss[] = [];
    try {
      return wanted.encodeRequest(params, losses);
    } catch (problem) {
      if (!(problem instanceof ProtoFormatError)) throw problem;
      throw new A2aError("INVALID_PARAMS", `the request cannot be sent over gRPC: ${problem.message}`);
    } finally {
      for (const loss of losses) onLoss?.(loss);
    }
  }

  async function* framesOf<T>(
    wanted: GrpcOperation,
    [operation, request, headers]: [A2aOperation, Message, Headers],
    call: A2aCall,
    read: (frame: JsonFrame) => T,
  ): AsyncGenerator<T, void> {
    const leaving = new AbortController();
    const leave = (): void => leaving.abort();
    call.signal.addEventListener("abort", leave);
    try {
      const method = streamMethod(wanted);
      const sent = single(request);
      const answer = await client.transport.stream(method, leaving.signal, undefined, headers, sent);
      for await (const message of answer.message) yield read({ data: readResult(wanted, message) });
    } catch (problem) {
      throw call.signal.aborted ? left(origin) : readStatus(problem, operation, origin);
    } finally {
      call.signal.removeEventListener("abort", leave);
      leave();
    }
  }

  return {
    async ask(operation, params = {}, call) {
      const wanted = wantedOf(version, operation);
      const request = requestOf(wanted, params);
      return calling(operation, call, async (headers) => {
        const method = unaryMethod(wanted);
        const { message } = await client.transport.unary(method, call.signal, undefined, headers, request);
        return readResult(wanted, message);
      });
    },
    /** Waits for the first frame: a server may begin its answer before it knows that it refuses. */
    async open(operation, params, call, read) {
      const wanted = wantedOf(version, operation);
      const request = requestOf(wanted, params);
      return calling(operation, call, async (headers) => {
        const frames = framesOf(wanted, [operation, request, headers], call, read);
        return resumed(await frames.next(), frames);
      });
    },
  };
}

function wantedOf(version: A2aVersion, operation: A2aOperation): GrpcOperation {
  const wanted = grpcOperation(version, operation);
  if (wanted) return wanted;
  throw new A2aError(
    "UNSUPPORTED_OPERATION",
    `A2A ${version} has no way to ask for this over gRPC: ${operation}`,
  );
}

function readResult(wanted: GrpcOperation, message: Message): JsonObject {
  try {
    return wanted.decodeResult(message);
  } catch (problem) {
    if (!(problem instanceof ProtoFormatError)) throw problem;
    throw unusable(`the agent's answer to ${wanted.method.name} cannot be read: ${problem.message}`);
  }
}

function left(origin: string): A2aError {
  return transportError(failure("CONNECTION_LOST", `${origin} was left by us`));
}

async function* single(message: Message): AsyncGenerator<Message> {
  yield await Promise.resolve(message);
}

async function* resumed<T>(
  first: IteratorResult<T, void>,
  frames: AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  try {
    if (first.done !== true) yield first.value;
    yield* frames;
  } finally {
    await frames.return();
  }
}
