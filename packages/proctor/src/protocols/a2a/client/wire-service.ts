// A service that is elsewhere, made of the two things a binding can do: ask for one result, and ask for a stream.
import { A2aError } from "../errors.ts";
import type {
  A2aCodec,
  RequestOf,
  RequestOperation,
  ResultOf,
  ResultOperation,
  WireProblem,
} from "../codec.ts";
import type { JsonObject, Json } from "../../../core/json.ts";
import type { A2aCall, A2aService, A2aStream, StreamFrame } from "../service.ts";
import type { JsonFrame } from "./read-frames.ts";

export type StreamOperation = "stream" | "subscribe";

/** One binding on the wire: parameters and results are JSON of the version. */
export interface Wire {
  /** Rejects with an A2aError. */
  ask(operation: ResultOperation, params: JsonObject | undefined, call: A2aCall): Promise<Json>;
  /** Rejects where no stream could be opened. `read` gets each frame without the envelope of the binding; an error that it throws ends the stream. */
  open<T>(
    operation: StreamOperation,
    params: JsonObject,
    call: A2aCall,
    read: (frame: JsonFrame) => T,
  ): Promise<AsyncIterable<T>>;
}

export interface WireServiceOptions {
  wire: Wire;
  codec: A2aCodec;
  /** `tenant` of the agent's interface, which every request echoes exactly (A2A 1.0, section 8.3.2). */
  tenant?: string;
  /** Called with what an agent got wrong in a message that was still usable. */
  onProblem?: (problem: WireProblem) => void;
}

export function createWireService({ wire, codec, tenant, onProblem }: WireServiceOptions): A2aService {
  function paramsOf<O extends RequestOperation>(operation: O, request: RequestOf<O>): JsonObject {
    const { tenant: _, ...rest } = request;
    // The rest of a request without its tenant is a request.
    const echoed = (tenant === undefined ? rest : { ...rest, tenant }) as RequestOf<O>;
    return codec.encodeRequest(operation, echoed);
  }

  /** Reports what the decoder noted, even where it gives up. */
  function noting<T>(decode: (problems: WireProblem[]) => T): T {
    const problems: WireProblem[] = [];
    try {
      return decode(problems);
    } finally {
      for (const problem of problems) onProblem?.(problem);
    }
  }

  async function ask<O extends RequestOperation & ResultOperation>(
    operation: O,
    request: RequestOf<O>,
    call: A2aCall,
  ): Promise<ResultOf<O>> {
    const result = await wire.ask(operation, paramsOf(operation, request), call);
    return noting((problems) => codec.decodeResult(operation, result, problems));
  }

  async function open<O extends StreamOperation>(
    operation: O,
    request: RequestOf<O>,
    call: A2aCall,
  ): Promise<A2aStream> {
    return wire.open(operation, paramsOf(operation, request), call, decoded);
  }

  function decoded({ data, id }: JsonFrame): StreamFrame {
    const event = noting((problems) => codec.decodeFrame(data, problems));
    return id === undefined ? { event } : { event, id };
  }

  return {
    card: () =>
      Promise.reject(new A2aError("UNSUPPORTED_OPERATION", "the public card is found by its address")),
    async extendedCard(call) {
      const params = tenant === undefined ? undefined : { tenant };
      const result = await wire.ask("extendedCard", params, call);
      return noting((problems) => codec.decodeResult("extendedCard", result, problems));
    },
    send: (request, call) => ask("send", request, call),
    stream: (request, call) => open("stream", request, call),
    subscribe: (request, call) => open("subscribe", request, call),
    getTask: (request, call) => ask("getTask", request, call),
    listTasks: (request, call) => ask("listTasks", request, call),
    cancelTask: (request, call) => ask("cancelTask", request, call),
    createPushConfig: (config, call) => ask("createPushConfig", config, call),
    getPushConfig: (request, call) => ask("getPushConfig", request, call),
    listPushConfigs: (request, call) => ask("listPushConfigs", request, call),
    async deletePushConfig(request, call) {
      await wire.ask("deletePushConfig", paramsOf("deletePushConfig", request), call);
    },
  };
}
