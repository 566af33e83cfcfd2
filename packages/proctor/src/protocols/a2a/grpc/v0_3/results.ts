// Results of 0.3: its ProtoJSON ↔ its JSON.
import { isJsonObject } from "../../../../core/json.ts";
import type { ResultOperation } from "../../codec.ts";
import { jsonCard, protoCard } from "./card.ts";
import { changeFields, each, object, type Change } from "./change-fields.ts";
import * as fromProto from "./from-proto-json.ts";
import * as toProto from "./to-proto-json.ts";

type Changes = Readonly<Record<ResultOperation, Change>>;

/** JSON has a list where the .proto has a message with one; a list is taken either way. */
const configsFromProto: Change = (json, notes) =>
  each(fromProto.pushConfig)(isJsonObject(json) ? (json["configs"] ?? []) : json, notes);

const configsToProto: Change = (json, notes) => ({ configs: each(toProto.pushConfig)(json, notes) });

const tasksFromProto: Change = (json, notes) =>
  Array.isArray(json)
    ? { tasks: each(fromProto.task)(json, notes) }
    : object((list) => changeFields(list, { tasks: each(fromProto.task) }, notes))(json, notes);

export const resultsFromProto: Changes = {
  card: jsonCard,
  extendedCard: jsonCard,
  send: fromProto.payload,
  getTask: fromProto.task,
  cancelTask: fromProto.task,
  listTasks: tasksFromProto,
  createPushConfig: fromProto.pushConfig,
  getPushConfig: fromProto.pushConfig,
  listPushConfigs: configsFromProto,
  deletePushConfig: () => null,
};

export const resultsToProto: Changes = {
  card: protoCard,
  extendedCard: protoCard,
  send: toProto.payload,
  getTask: toProto.task,
  cancelTask: toProto.task,
  listTasks: object((json, notes) => changeFields(json, { tasks: each(toProto.task) }, notes)),
  createPushConfig: toProto.pushConfig,
  getPushConfig: toProto.pushConfig,
  listPushConfigs: configsToProto,
  deletePushConfig: () => ({}),
};
