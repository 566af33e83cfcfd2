// A2A 0.3, and 0.2 before it: read in its own shapes (wire.ts), then carried into the model's; written the other way.
import type { JsonObject } from "../../../core/json.ts";
import type { A2aCodec, ResultOf } from "../codec.ts";
import type { AgentCard, StreamResponse } from "../model.ts";
import { readAnswer, readRequest } from "../read-message.ts";
import { createTranslation } from "../translating.ts";
import { requests } from "./requests.ts";
import { frame, results } from "./results.ts";

// The readers checked the values that are cast here, and the translators keep to model.ts.
export const v03: A2aCodec = {
  version: "0.3",
  decodeRequest(operation, params) {
    const { read, up } = requests[operation];
    return up(readRequest(read, params) as JsonObject, createTranslation());
  },
  encodeRequest(operation, request, losses) {
    return requests[operation].down(request, createTranslation(losses));
  },
  decodeResult(operation, result, problems) {
    if (operation === "deletePushConfig") return undefined as ResultOf<typeof operation>;
    const { read, up } = results[operation];
    const value = readAnswer(read, result, "result", problems);
    return up(value, createTranslation()) as unknown as ResultOf<typeof operation>;
  },
  encodeResult(operation, result, losses) {
    return results[operation].down(result ?? null, createTranslation(losses, "result"));
  },
  decodeFrame(value, problems) {
    return frame.up(readAnswer(frame.read, value, "result", problems), createTranslation()) as StreamResponse;
  },
  encodeFrame: (event, losses) => frame.down(event, createTranslation(losses, "result")) as JsonObject,
  decodeCard(value, problems) {
    const read = readAnswer(results.card.read, value, "card", problems);
    return results.card.up(read, createTranslation()) as AgentCard;
  },
  encodeCard: (value, losses) => results.card.down(value, createTranslation(losses, "card")) as JsonObject,
};
