// The services of A2A as gRPC's machinery sees them, one level deep, and what an operation's messages look like behind that.
import {
  fromBinary,
  toBinary,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type Message,
} from "@bufbuild/protobuf";
import { shallowService } from "../../../channels/grpc/shallow-service.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Loss } from "../codec.ts";
import type { A2aOperation, A2aVersion } from "../service.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { A2AService as Service03 } from "./gen/a2a/v1/a2a_pb.ts";
import { A2AService as Service1 } from "./gen/lf/a2a/v1/a2a_pb.ts";
import { GRPC_METHODS } from "./methods.ts";

/** One operation on the wire. Its messages pass unchanged; their content is ProtoJSON. */
export interface GrpcOperation {
  method: DescMethod;
  encodeRequest(json: JsonObject, losses?: Loss[]): Message;
  /** Throws ProtoFormatError. */
  decodeRequest(message: Message): JsonObject;
  encodeResult(json: JsonObject, losses?: Loss[]): Message;
  /** Throws ProtoFormatError. */
  decodeResult(message: Message): JsonObject;
}

export const A2A_SERVICES = { "1.0": shallowService(Service1), "0.3": shallowService(Service03) } as const;

/** Returns undefined for an operation that the version does not have over gRPC. */
export function grpcOperation(version: A2aVersion, operation: A2aOperation): GrpcOperation | undefined {
  return OPERATIONS[version].get(operation);
}

export function grpcOperations(version: A2aVersion): ReadonlyMap<A2aOperation, GrpcOperation> {
  return OPERATIONS[version];
}

export function unaryMethod({ method }: GrpcOperation): DescMethodUnary {
  if (method.methodKind !== "unary") throw new Error(`${method.name} is a stream`);
  // `methodKind` proves the type.
  return method as DescMethodUnary;
}

export function streamMethod({ method }: GrpcOperation): DescMethodServerStreaming {
  if (method.methodKind !== "server_streaming") throw new Error(`${method.name} is no stream`);
  // `methodKind` proves the type.
  return method as DescMethodServerStreaming;
}

const OPERATIONS = { "1.0": operationsOf("1.0"), "0.3": operationsOf("0.3") } as const;

function operationsOf(version: A2aVersion): ReadonlyMap<A2aOperation, GrpcOperation> {
  // The keys of the table are operations.
  const entries = Object.entries(GRPC_METHODS[version]) as [A2aOperation, DescMethod][];
  return new Map(entries.map(([operation, whole]) => [operation, toOperation(version, whole)]));
}

function toOperation(version: A2aVersion, { localName, input, output }: DescMethod): GrpcOperation {
  const method = A2A_SERVICES[version].method[localName];
  if (method === undefined) throw new Error(`there is no ${localName} in A2A ${version}`);
  return {
    method,
    encodeRequest: (json, losses) => fromBinary(method.input, encodeMessage(input, json, losses)),
    decodeRequest: (message) => decodeMessage(input, toBinary(method.input, message), { fill: false }),
    encodeResult: (json, losses) => fromBinary(method.output, encodeMessage(output, json, losses, "result")),
    decodeResult: (message) => decodeMessage(output, toBinary(method.output, message), { fill: true }),
  };
}
