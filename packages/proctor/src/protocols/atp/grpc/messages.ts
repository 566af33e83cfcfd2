// ATP messages as JSON ↔ the messages of the gRPC service.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { JsonObject } from "../../../core/json.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { EventSchema, ExecuteRequestSchema, ExecuteResponseSchema } from "./gen/atp/v1/agent_pb.ts";
import {
  AGENT_SERVICE,
  SHALLOW_REQUEST,
  SHALLOW_RESPONSE,
  type ShallowRequest,
  type ShallowResponse,
  type ShallowStreamResponse,
} from "./service.ts";

export function encodeRequestMessage(json: JsonObject): ShallowRequest {
  return fromBinary(SHALLOW_REQUEST, encodeMessage(ExecuteRequestSchema, json));
}

export function decodeRequestMessage(message: ShallowRequest): JsonObject {
  return decodeMessage(ExecuteRequestSchema, toBinary(SHALLOW_REQUEST, message));
}

export function encodeResponseMessage(json: JsonObject): ShallowResponse {
  return fromBinary(SHALLOW_RESPONSE, encodeMessage(ExecuteResponseSchema, json));
}

export function decodeResponseMessage(message: ShallowResponse): JsonObject {
  return decodeMessage(ExecuteResponseSchema, toBinary(SHALLOW_RESPONSE, message));
}

export function encodeStreamMessage(kind: "event" | "response", json: JsonObject): ShallowStreamResponse {
  const value = encodeMessage(kind === "event" ? EventSchema : ExecuteResponseSchema, json);
  return create(AGENT_SERVICE.method.executeStream.output, { message: { case: kind, value } });
}

/** Returns undefined for a message that holds neither. */
export function decodeStreamMessage({
  message,
}: ShallowStreamResponse): { kind: "event" | "response"; json: JsonObject } | undefined {
  if (message.case === undefined) return undefined;
  const schema = message.case === "event" ? EventSchema : ExecuteResponseSchema;
  return { kind: message.case, json: decodeMessage(schema, message.value) };
}
