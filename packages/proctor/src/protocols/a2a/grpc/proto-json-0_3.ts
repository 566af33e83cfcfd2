// A2A 0.3 as its .proto has it, in JSON: what its binding HTTP+JSON sends and what its gRPC carries. A codec over that of 0.3's own JSON, which
// checks messages and knows the model; this one knows the two forms. JSON of the other form is taken as well.
import type { DescMessage } from "@bufbuild/protobuf";
import type { Json, JsonObject } from "../../../core/json.ts";
import type { A2aCodec } from "../codec.ts";
import { createTranslation, only, type Translator } from "../translating.ts";
import { v03 } from "../v0_3/codec.ts";
import { canonicalJson } from "./canonical-json.ts";
import { AgentCardSchema, StreamResponseSchema } from "./gen/a2a/v1/a2a_pb.ts";
import { METHODS_0_3 } from "./methods.ts";
import { payloadFromProto } from "./v0_3/from-proto-json.ts";
import { payloadToProto } from "./v0_3/to-proto-json.ts";
import { requestsFromProto } from "./v0_3/requests.ts";
import { requestsToProto } from "./v0_3/requests-to-proto.ts";
import { resultsFromProto, resultsToProto } from "./v0_3/results.ts";

export const protoJson03: A2aCodec = {
  version: "0.3",
  decodeRequest: (operation, params) =>
    v03.decodeRequest(operation, toJson(METHODS_0_3[operation]?.input, requestsFromProto[operation], params)),
  // The translation of a request is an object, as the request is.
  encodeRequest: (operation, request, losses) =>
    requestsToProto[operation](
      v03.encodeRequest(operation, request, losses),
      createTranslation(losses),
    ) as JsonObject,
  decodeResult: (operation, result, problems) =>
    v03.decodeResult(
      operation,
      toJson(METHODS_0_3[operation]?.output, resultsFromProto[operation], result),
      problems,
    ),
  encodeResult: (operation, result, losses) =>
    resultsToProto[operation](
      v03.encodeResult(operation, result, losses),
      createTranslation(losses, "result"),
    ),
  decodeFrame: (frame, problems) =>
    v03.decodeFrame(toJson(StreamResponseSchema, only(payloadFromProto), frame), problems),
  encodeFrame: (event, losses) =>
    payloadToProto(v03.encodeFrame(event, losses), createTranslation(losses, "result")),
  decodeCard: (card, problems) =>
    v03.decodeCard(toJson(AgentCardSchema, resultsFromProto.card, card), problems),
  encodeCard: (card, losses) =>
    resultsToProto.card(v03.encodeCard(card, losses), createTranslation(losses, "card")) as JsonObject,
};

function toJson(schema: DescMessage | undefined, translate: Translator, json: Json): Json {
  return translate(schema ? canonicalJson(schema, json) : json, createTranslation());
}
