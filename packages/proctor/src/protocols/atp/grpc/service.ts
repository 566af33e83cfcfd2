// The service of agent.proto as gRPC's machinery sees it: one level deep. The parts inside its messages stay bytes, which
// only encode.ts and decode.ts look into; on the wire a part and its bytes are the same.
import { clone, createFileRegistry, isFieldSet, type Message } from "@bufbuild/protobuf";
import type { GenMessage, GenService } from "@bufbuild/protobuf/codegenv2";
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import {
  Agent,
  ExecuteRequestSchema,
  ExecuteResponseSchema,
  file_atp_v1_agent,
  type CancelRequestSchema,
  type CancelResponseSchema,
} from "./gen/atp/v1/agent_pb.ts";

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

const registry = createFileRegistry(shallowFile(), () => undefined);

// The registry was made from the very file that declares them.
export const AGENT_SERVICE = registry.getService(Agent.typeName) as AgentService;
export const SHALLOW_REQUEST = registry.getMessage(
  ExecuteRequestSchema.typeName,
) as GenMessage<ShallowRequest>;
export const SHALLOW_RESPONSE = registry.getMessage(
  ExecuteResponseSchema.typeName,
) as GenMessage<ShallowResponse>;

function shallowFile(): typeof file_atp_v1_agent.proto {
  const file = clone(FileDescriptorProtoSchema, file_atp_v1_agent.proto);
  for (const field of file.messageType.flatMap((message) => message.field)) {
    if (field.type !== FieldDescriptorProto_Type.MESSAGE) continue;
    field.type = FieldDescriptorProto_Type.BYTES;
    field.typeName = "";
    // A part that is there and empty is not one that is absent.
    const single = field.label !== FieldDescriptorProto_Label.REPEATED;
    if (single && !isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex))
      field.proto3Optional = true;
  }
  file.dependency = [];
  return file;
}
