// A2A 0.3 as its .proto has it, in JSON: what its gRPC carries, and what clients of its HTTP+JSON may send who wrote it by the .proto. The
// codec of 0.3's HTTP+JSON knows the messages; this one adds every spelling of ProtoJSON, and requests that name their resources.
import type { DescMessage } from "@bufbuild/protobuf";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { A2aCodec } from "../codec.ts";
import { createTranslation } from "../translating.ts";
import { v03Http } from "../v0_3/http-codec.ts";
import { canonicalJson } from "./canonical-json.ts";
import { AgentCardSchema, StreamResponseSchema } from "./gen/a2a/v1/a2a_pb.ts";
import { METHODS_0_3 } from "./methods.ts";
import { requestsIn, requestsOut } from "./requests-0_3.ts";

export const protoJson03: A2aCodec = {
  ...v03Http,
  decodeRequest(operation, params) {
    const json = canonical(METHODS_0_3[operation]?.input, params);
    return v03Http.decodeRequest(operation, requestsIn[operation](json, createTranslation()));
  },
  encodeRequest(operation, request, losses) {
    const json = v03Http.encodeRequest(operation, request, losses);
    // The translation of an object is an object.
    return requestsOut[operation](json, createTranslation(losses)) as JsonObject;
  },
  decodeResult: (operation, result, problems) =>
    v03Http.decodeResult(operation, canonical(METHODS_0_3[operation]?.output, result), problems),
  encodeResult: (operation, result, losses) => {
    const json = v03Http.encodeResult(operation, result, losses);
    return operation === "deletePushConfig" ? {} : json;
  },
  decodeFrame: (frame, problems) => v03Http.decodeFrame(canonical(StreamResponseSchema, frame), problems),
  decodeCard: (card, problems) => v03Http.decodeCard(canonical(AgentCardSchema, card), problems),
};

function canonical(schema: DescMessage | undefined, json: Json): Json {
  return schema ? canonicalJson(schema, json) : json;
}
