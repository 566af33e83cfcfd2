// The service of agent.proto one level deep: only encode.ts and decode.ts look into its messages.
import type { Message } from "@bufbuild/protobuf";
import type { GenMessage, GenService } from "@bufbuild/protobuf/codegenv2";
import { shallowService } from "../../../channels/grpc/shallow-service.ts";
import { Agent, type CancelRequestSchema, type CancelResponseSchema } from "./gen/atp/v1/agent_pb.ts";

/** The fields of the message are read by the codec only. */
export type ShallowRequest = Message<"atp.v1.ExecuteRequest">;
export type ShallowResponse = Message<"atp.v1.ExecuteResponse">;
export type ShallowStreamResponse = Message<"atp.v1.ExecuteStreamResponse"> & {
  message: { case: "event" | "response"; value: Uint8Array } | { case: undefined; value?: undefined };
};

export type AgentService = GenService<{
  execute: {
    methodKind: "unary";
    input: GenMessage<ShallowRequest>;
    output: GenMessage<ShallowResponse>;
  };
  executeStream: {
    methodKind: "server_streaming";
    input: GenMessage<ShallowRequest>;
    output: GenMessage<ShallowStreamResponse>;
  };
  cancel: {
    methodKind: "unary";
    input: typeof CancelRequestSchema;
    output: typeof CancelResponseSchema;
  };
}>;

// It has the methods of agent.proto.
export const AGENT_SERVICE = shallowService(Agent) as AgentService;
export const SHALLOW_REQUEST = AGENT_SERVICE.method.execute.input;
export const SHALLOW_RESPONSE = AGENT_SERVICE.method.execute.output;
