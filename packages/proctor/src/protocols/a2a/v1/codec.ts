// A2A 1.0: its JSON is the model's, so that decoding is checking, and encoding is nothing at all.
import type { Json, JsonObject } from "../../../core/json.ts";
import type { A2aCodec, Loss, RequestOf, ResultOf } from "../codec.ts";
import { lossesOfLegacy } from "../legacy.ts";
import type { AgentCard, StreamResponse } from "../model.ts";
import { readAnswer, readRequest } from "../read-message.ts";
import { card } from "./card.ts";
import { requests } from "./requests.ts";
import { frame, results } from "./results.ts";

// The readers checked the values that are cast here.
export const v1: A2aCodec = {
  version: "1.0",
  decodeRequest: (operation, params) =>
    readRequest(requests[operation], params) as RequestOf<typeof operation>,
  encodeRequest: (_, request, losses) => written(request, losses, ""),
  decodeResult: (operation, result, problems) =>
    (operation === "deletePushConfig"
      ? undefined
      : readAnswer(results[operation], result, "result", problems)) as ResultOf<typeof operation>,
  encodeResult: (_, result, losses) => written((result ?? {}) as JsonObject, losses, "result"),
  decodeFrame: (value, problems) => readAnswer(frame, value, "result", problems) as StreamResponse,
  encodeFrame: (event, losses) => written(event, losses, "result"),
  decodeCard: (value, problems) => readAnswer(card, value, "card", problems) as AgentCard,
  encodeCard: (value, losses) => written(value, losses, "card"),
};

function written<T extends Json>(value: T, losses: Loss[] | undefined, root: string): T {
  if (losses) for (const loss of lossesOfLegacy(value, root)) losses.push(loss);
  return value;
}
