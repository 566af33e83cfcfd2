// A2A 0.3 in HTTP+JSON: the codec of 0.3, behind the other form of its JSON (proto-json.ts).
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { A2aCodec, RequestOperation, ResultOperation } from "../codec.ts";
import { createTranslation, each, only, translateFields, type Translator } from "../translating.ts";
import { v03 } from "./codec.ts";
import { cardIn, cardOut, configIn, configOut } from "./proto-json-resources.ts";
import { eventIn, eventOut, sendIn, sendOut, taskIn, taskOut } from "./proto-json.ts";

interface Form {
  out: Translator;
  in: Translator;
}

const same: Translator = (value) => value;
const SAME: Form = { out: same, in: same };
const SEND: Form = { out: sendOut, in: sendIn };
const TASK: Form = { out: taskOut, in: taskIn };
const EVENT: Form = { out: eventOut, in: eventIn };
const CONFIG: Form = { out: configOut, in: configIn };
const CARD: Form = { out: cardOut, in: cardIn };
/** Adds the object around lists that the .proto has, and the text of 0.3 has not. */
const TASKS: Form = {
  out: only((page, translation) => translateFields(page, { tasks: each(taskOut) }, translation)),
  in: (value, translation) =>
    isJsonObject(value) ? translateFields(value, { tasks: each(taskIn) }) : each(taskIn)(value, translation),
};
const CONFIGS: Form = {
  out: (list, translation) => ({ configs: each(configOut)(list, translation) }),
  in: (value, translation) =>
    each(configIn)(isJsonObject(value) ? (value["configs"] ?? []) : value, translation),
};

/** Parameters that are parts of a path and a query have no form of their own. */
const REQUESTS: Partial<Record<RequestOperation, Form>> = {
  send: SEND,
  stream: SEND,
  createPushConfig: CONFIG,
};
const RESULTS: Record<ResultOperation, Form> = {
  card: CARD,
  extendedCard: CARD,
  send: EVENT,
  getTask: TASK,
  cancelTask: TASK,
  listTasks: TASKS,
  createPushConfig: CONFIG,
  getPushConfig: CONFIG,
  listPushConfigs: CONFIGS,
  deletePushConfig: SAME,
};

export const v03Http: A2aCodec = {
  version: "0.3",
  decodeRequest: (operation, params) => v03.decodeRequest(operation, read(REQUESTS[operation], params)),
  encodeRequest: (operation, request, losses) =>
    written(REQUESTS[operation], v03.encodeRequest(operation, request, losses)),
  decodeResult: (operation, result, problems) =>
    v03.decodeResult(operation, read(RESULTS[operation], result), problems),
  encodeResult: (operation, result, losses) =>
    written(RESULTS[operation], v03.encodeResult(operation, result, losses)),
  decodeFrame: (frame, problems) => v03.decodeFrame(read(EVENT, frame), problems),
  encodeFrame: (event, losses) => written(EVENT, v03.encodeFrame(event, losses)),
  decodeCard: (card, problems) => v03.decodeCard(read(CARD, card), problems),
  encodeCard: (card, losses) => written(CARD, v03.encodeCard(card, losses)),
};

function read(form: Form = SAME, value: Json): Json {
  return form.in(value, createTranslation());
}

/** Returns the form of a value; the translators make objects of objects. */
function written<T extends Json>(form: Form = SAME, value: T): T extends JsonObject ? JsonObject : Json {
  return form.out(value, createTranslation()) as T extends JsonObject ? JsonObject : Json;
}
