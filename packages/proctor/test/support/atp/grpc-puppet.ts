// The gRPC service of an agent on @grpc/grpc-js, for puppets.
import type * as grpc from "@grpc/grpc-js";
import { create, toBinary } from "@bufbuild/protobuf";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Play } from "../protocols/puppet.ts";
import { decodeMessage } from "../../../src/protocols/atp/grpc/decode.ts";
import { ExecuteRequestSchema } from "../../../src/protocols/atp/grpc/gen/atp/v1/agent_pb.ts";
import { encodeStreamMessage } from "../../../src/protocols/atp/grpc/messages.ts";
import { AGENT_SERVICE } from "../../../src/protocols/atp/grpc/service.ts";

type StreamCall = grpc.ServerWritableStream<JsonObject, StreamMessage>;

interface StreamMessage {
  kind: "event" | "response";
  json: JsonObject;
}

export function grpcPuppet(server: grpc.Server, play: Play): void {
  const stops = new Map<unknown, () => void>();

  function executeStream(call: StreamCall): void {
    const { request } = call;
    const stopped = new Promise<void>((resolve) => {
      stops.set(request["task_id"], resolve);
      call.on("cancelled", () => resolve());
      call.on("close", () => resolve());
    });
    const send = async (kind: StreamMessage["kind"], message: JsonObject | string): Promise<void> => {
      if (typeof message === "string") throw new Error("gRPC carries no text");
      if (!call.write({ kind, json: message })) {
        await Promise.race([new Promise<void>((resolve) => call.once("drain", resolve)), stopped]);
      }
    };
    void play({
      request,
      stopped,
      event: (message) => send("event", message),
      answer: (message) => send("response", message),
      respond: async (message) => {
        await send("response", message);
        call.end();
      },
      vanish: () => server.forceShutdown(),
    });
  }

  server.addService(
    {
      executeStream: {
        path: "/atp.v1.Agent/ExecuteStream",
        requestStream: false,
        responseStream: true,
        requestSerialize: () => Buffer.alloc(0),
        requestDeserialize: (bytes: Buffer) => decodeMessage(ExecuteRequestSchema, bytes),
        responseSerialize: ({ kind, json }: StreamMessage) =>
          Buffer.from(toBinary(AGENT_SERVICE.method.executeStream.output, encodeStreamMessage(kind, json))),
        responseDeserialize: () => ({}),
      },
      cancel: {
        path: "/atp.v1.Agent/Cancel",
        requestStream: false,
        responseStream: false,
        requestSerialize: () => Buffer.alloc(0),
        // The only field anybody asks for.
        requestDeserialize: (bytes: Buffer) => ({ task_id: firstText(bytes) }),
        responseSerialize: () =>
          Buffer.from(
            toBinary(AGENT_SERVICE.method.cancel.output, create(AGENT_SERVICE.method.cancel.output)),
          ),
        responseDeserialize: () => ({}),
      },
    },
    {
      executeStream: (call: grpc.ServerWritableStream<unknown, unknown>) => executeStream(call as StreamCall),
      cancel(call: grpc.ServerUnaryCall<{ task_id: string }, object>, done: grpc.sendUnaryData<object>) {
        stops.get(call.request.task_id)?.();
        done(null, {});
      },
    },
  );
}

/** The string field number 1 of a message that begins with it. */
function firstText(bytes: Buffer): string {
  return bytes[0] === 0x0a ? bytes.subarray(2, 2 + (bytes[1] ?? 0)).toString() : "";
}
