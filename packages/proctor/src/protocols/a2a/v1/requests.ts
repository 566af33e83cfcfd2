// The parameters of A2A 1.0's operations as clients send them, section 3.1.
import type { RequestOperation } from "../codec.ts";
import {
  anyObject,
  filledText,
  flag,
  required,
  text,
  textOrNothing,
  texts,
  wholeNumber,
} from "../readers.ts";
import type { Reader } from "../reading.ts";
import { dateTime } from "../timestamp.ts";
import { clientMessage, pushConfig, pushConfigFields } from "./wire.ts";
import { object, stateFilter } from "./wire-parts.ts";

const tenant = { tenant: textOrNothing };
const historyLength = wholeNumber(0);

const send = object(
  {
    ...tenant,
    message: required(clientMessage),
    configuration: object(
      {
        acceptedOutputModes: texts,
        taskPushNotificationConfig: pushConfig,
        historyLength,
        returnImmediately: flag,
      },
      "3.2.2",
    ),
    metadata: anyObject,
  },
  "3.2.1",
);

const taskId = { ...tenant, id: required(filledText) };
const configId = object({ ...tenant, taskId: required(filledText), id: required(filledText) });

export const requests: Readonly<Record<RequestOperation, Reader>> = {
  send,
  stream: send,
  subscribe: object(taskId, "3.1.6"),
  getTask: object({ ...taskId, historyLength }, "3.1.3"),
  cancelTask: object({ ...taskId, metadata: anyObject }, "3.1.5"),
  listTasks: object(
    {
      ...tenant,
      contextId: textOrNothing,
      status: stateFilter,
      pageSize: wholeNumber(1, 100),
      pageToken: text,
      historyLength,
      statusTimestampAfter: dateTime,
      includeArtifacts: flag,
    },
    "3.1.4",
  ),
  createPushConfig: object({ ...pushConfigFields, taskId: required(filledText) }, "3.1.7"),
  getPushConfig: configId,
  deletePushConfig: configId,
  listPushConfigs: object(
    { ...tenant, taskId: required(filledText), pageSize: wholeNumber(0), pageToken: text },
    "3.1.9",
  ),
};
