// What agents of 0.3 answer, as it is read, and as the model has it.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { ResultOperation } from "../codec.ts";
import { list, required, text, wholeNumber } from "../readers.ts";
import type { Reader } from "../reading.ts";
import { each, only, translateFields, type Translation, type Translator } from "../translating.ts";
import { card, cardDown, cardUp } from "./card.ts";
import { eventDown, eventUp } from "./events.ts";
import { taskDown, taskUp } from "./messages.ts";
import { configListDown, configListUp, taskPushConfigDown, taskPushConfigUp } from "./push-configs.ts";
import { taskPushConfig } from "./requests.ts";
import { oneOfKinds, task } from "./wire.ts";
import { object } from "./wire-parts.ts";

interface ResultForm {
  read: Reader;
  up: Translator;
  down: Translator;
}

const ofTask: ResultForm = { read: task, up: only(taskUp), down: only(taskDown) };
const ofCard: ResultForm = { read: card, up: only(cardUp), down: only(cardDown) };
const ofPushConfig: ResultForm = {
  read: taskPushConfig,
  up: only(taskPushConfigUp),
  down: only(taskPushConfigDown),
};

export const frame: ResultForm = {
  read: oneOfKinds(["task", "message", "status-update", "artifact-update"], "kept"),
  up: only(eventUp),
  down: only(eventDown),
};

export const results: Readonly<Record<ResultOperation, ResultForm>> = {
  card: ofCard,
  extendedCard: ofCard,
  send: { ...frame, read: oneOfKinds(["task", "message"], "refused") },
  getTask: ofTask,
  cancelTask: ofTask,
  createPushConfig: ofPushConfig,
  getPushConfig: ofPushConfig,
  listPushConfigs: { read: list(taskPushConfig), up: configListUp, down: only(configListDown) },
  deletePushConfig: { read: (value) => value, up: () => null, down: () => null },
  // 0.3 has no such method in JSON-RPC; elsewhere the answer is a list of tasks.
  listTasks: { read: tasks, up: tasksUp, down: only(tasksDown) },
};

const taskPage = object({
  tasks: required(list(task), () => []),
  nextPageToken: text,
  pageSize: wholeNumber(0),
  totalSize: wholeNumber(0),
});

function tasks(value: Json, reading: Parameters<Reader>[1]): Json | undefined {
  return Array.isArray(value) ? list(task)(value, reading) : taskPage(value, reading);
}

function tasksUp(value: Json, translation: Translation): JsonObject {
  const page: JsonObject = isJsonObject(value) ? value : { tasks: value };
  const count = Array.isArray(page["tasks"]) ? page["tasks"].length : 0;
  const whole = { nextPageToken: "", pageSize: count, totalSize: count, ...page };
  return translateFields(whole, { tasks: each(taskUp) }, translation);
}

function tasksDown(page: JsonObject, translation: Translation): JsonObject {
  return translateFields(page, { tasks: each(taskDown) }, translation);
}
