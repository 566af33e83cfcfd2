// Results of 0.3: its ProtoJSON ↔ its JSON.
import { isJsonObject } from "../../../../core/json.ts";
import type { ResultOperation } from "../../codec.ts";
import { each, only, translateFields, type Translator } from "../../translating.ts";
import { cardFromProto, cardToProto } from "./card.ts";
import { payloadFromProto, pushConfigFromProto, taskFromProto } from "./from-proto-json.ts";
import { payloadToProto, pushConfigToProto, taskToProto } from "./to-proto-json.ts";

type Translators = Readonly<Record<ResultOperation, Translator>>;

/** JSON has a list where the .proto has a message with one; both are taken. */
const configsFromProto: Translator = (json, translation) =>
  each(pushConfigFromProto)(isJsonObject(json) ? (json["configs"] ?? []) : json, translation);

const tasksFromProto: Translator = (json, translation) =>
  isJsonObject(json)
    ? translateFields(json, { tasks: each(taskFromProto) }, translation)
    : each(taskFromProto)(json, translation);

export const resultsFromProto: Translators = {
  card: only(cardFromProto),
  extendedCard: only(cardFromProto),
  send: only(payloadFromProto),
  getTask: only(taskFromProto),
  cancelTask: only(taskFromProto),
  listTasks: tasksFromProto,
  createPushConfig: only(pushConfigFromProto),
  getPushConfig: only(pushConfigFromProto),
  listPushConfigs: configsFromProto,
  deletePushConfig: () => null,
};

export const resultsToProto: Translators = {
  card: only(cardToProto),
  extendedCard: only(cardToProto),
  send: only(payloadToProto),
  getTask: only(taskToProto),
  cancelTask: only(taskToProto),
  listTasks: only((json, translation) => translateFields(json, { tasks: each(taskToProto) }, translation)),
  createPushConfig: only(pushConfigToProto),
  getPushConfig: only(pushConfigToProto),
  listPushConfigs: (json, translation) => ({ configs: each(pushConfigToProto)(json, translation) }),
  deletePushConfig: () => ({}),
};
