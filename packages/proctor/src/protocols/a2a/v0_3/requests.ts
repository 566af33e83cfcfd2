// The parameters of 0.3's operations: as clients send them, and as the model has them. Section numbers are those of specification 0.3.
import type { JsonObject } from "../../../core/json.ts";
import type { RequestOperation } from "../codec.ts";
import { legacyOf, withLegacy } from "../legacy.ts";
import {
  anyObject,
  filledText,
  flag,
  required,
  text,
  texts,
  textOrNothing,
  wholeNumber,
} from "../readers.ts";
import type { Reader } from "../reading.ts";
import { dateTime } from "../timestamp.ts";
import { leaveOut, only, split, translateFields, type Translation } from "../translating.ts";
import { messageDown, messageUp, stateDown, stateUp } from "./messages.ts";
import {
  configRequestDown,
  configRequestUp,
  pushConfigDown,
  pushConfigUp,
  taskPushConfigDown,
  taskPushConfigUp,
} from "./push-configs.ts";
import { clientMessage } from "./wire.ts";
import { object, state } from "./wire-parts.ts";

const metadata = anyObject;
const historyLength = wholeNumber(0);

const pushConfig = object(
  {
    id: textOrNothing,
    url: required(filledText),
    token: textOrNothing,
    authentication: object({ schemes: required(texts), credentials: text }, "6.9"),
  },
  "6.8",
);
export const taskPushConfig = object(
  { taskId: required(filledText), pushNotificationConfig: required(pushConfig) },
  "6.10",
);

const configuration = object(
  { acceptedOutputModes: texts, blocking: flag, historyLength, pushNotificationConfig: pushConfig },
  "7.1.1",
);
const send = object({ message: required(clientMessage), configuration, metadata }, "7.1.1");
const task = { id: required(filledText), metadata };

type Translate = (request: JsonObject, translation: Translation) => JsonObject;
interface RequestForm {
  read: Reader;
  up: Translate;
  down: Translate;
}

const sending: RequestForm = { read: send, up: sendUp, down: sendDown };
const naming = (read: Reader): RequestForm => ({ read, up: taskRequestUp, down: taskRequestDown });

export const requests: Readonly<Record<RequestOperation, RequestForm>> = {
  send: sending,
  stream: sending,
  subscribe: naming(object(task, "7.9")),
  getTask: naming(object({ ...task, historyLength }, "7.3.1")),
  cancelTask: naming(object(task, "7.4.1")),
  createPushConfig: { read: taskPushConfig, up: taskPushConfigUp, down: taskPushConfigDown },
  getPushConfig: {
    read: object({ ...task, pushNotificationConfigId: filledText }, "7.6.1"),
    up: configRequestUp,
    down: configRequestDown,
  },
  deletePushConfig: {
    read: object({ ...task, pushNotificationConfigId: required(filledText) }, "7.8.1"),
    up: configRequestUp,
    down: configRequestDown,
  },
  listPushConfigs: {
    read: object(task, "7.7.1"),
    up: ({ id: taskId, ...rest }) => {
      const [fields, open] = split(rest, ["tenant", "taskId", "pageSize", "pageToken"]);
      return withLegacy({ taskId, ...open }, { fields });
    },
    down: (request, translation) => {
      const { taskId, ...rest } = request;
      const open = leaveOut(rest, ["tenant", "id", "pageSize", "pageToken"], translation);
      return { id: taskId, ...open, ...legacyOf(request).fields };
    },
  },
  // 0.3 has no such method in JSON-RPC, and no parameters elsewhere; these are 1.0's, in the words of 0.3.
  listTasks: {
    read: object({
      contextId: textOrNothing,
      status: state,
      pageSize: wholeNumber(1, 100),
      pageToken: text,
      historyLength,
      statusTimestampAfter: dateTime,
      includeArtifacts: flag,
    }),
    up: (request, translation) => translateFields(request, { status: stateUp }, translation),
    down: (request, translation) =>
      translateFields(leaveOut(request, ["tenant"], translation), { status: stateDown }, translation),
  },
};

function taskRequestUp(request: JsonObject): JsonObject {
  const [fields, open] = split(request, ["tenant"]);
  return withLegacy(open, { fields });
}

function taskRequestDown(request: JsonObject, translation: Translation): JsonObject {
  return { ...leaveOut(request, ["tenant"], translation), ...legacyOf(request).fields };
}

function sendUp(request: JsonObject, translation: Translation): JsonObject {
  const [fields, open] = split(request, ["tenant"]);
  const up = { message: only(messageUp), configuration: only(configurationUp) };
  return withLegacy(translateFields(open, up, translation), { fields });
}

function sendDown(request: JsonObject, translation: Translation): JsonObject {
  const open = leaveOut(request, ["tenant"], translation);
  const down = { message: only(messageDown), configuration: only(configurationDown) };
  return { ...translateFields(open, down, translation), ...legacyOf(request).fields };
}

function configurationUp(configuration: JsonObject, translation: Translation): JsonObject {
  const { blocking, pushNotificationConfig: config, ...rest } = configuration;
  const [fields, open] = split(rest, ["returnImmediately", "taskPushNotificationConfig"]);
  const up = {
    ...open,
    ...(typeof blocking === "boolean" && { returnImmediately: !blocking }),
    ...(config !== undefined && { taskPushNotificationConfig: only(pushConfigUp)(config, translation) }),
  };
  return withLegacy(up, { fields });
}

function configurationDown(configuration: JsonObject, translation: Translation): JsonObject {
  const { returnImmediately, taskPushNotificationConfig: config, ...rest } = configuration;
  const open = leaveOut(rest, ["blocking", "pushNotificationConfig"], translation);
  if (config !== undefined) translation.enter("taskPushNotificationConfig");
  const down = config === undefined ? undefined : only(pushConfigDown)(config, translation);
  if (config !== undefined) translation.leave();
  return {
    ...open,
    ...(typeof returnImmediately === "boolean" && { blocking: !returnImmediately }),
    ...(down !== undefined && { pushNotificationConfig: down }),
    ...legacyOf(configuration).fields,
  };
}
