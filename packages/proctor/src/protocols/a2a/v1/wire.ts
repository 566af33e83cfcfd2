// The messages of A2A 1.0 as they are read: those of clients (requests.ts has their parameters), and those of agents. Section numbers are
// those of specification 1.0.
import { anyObject, filledText, flag, list, required, text, textOrNothing, texts } from "../readers.ts";
import { object, part, role, state } from "./wire-parts.ts";

const none = (): [] => [];
const empty = (): string => "";
const parts = list(part, { atLeast: "one part" });

const messageFields = {
  contextId: textOrNothing,
  taskId: textOrNothing,
  parts: required(parts, none),
  metadata: anyObject,
  extensions: texts,
  referenceTaskIds: texts,
};

/** Message of a client. */
export const clientMessage = object(
  { messageId: required(filledText), role: required(role({ namesOnly: true })), ...messageFields },
  "4.1.4",
);

/** Message of an agent, or one in its history. */
export const message = object(
  {
    messageId: required(filledText, empty),
    role: required(role({ namesOnly: false }), () => "ROLE_AGENT"),
    ...messageFields,
  },
  "4.1.4",
);

export const artifact = object(
  {
    artifactId: required(filledText, empty),
    name: text,
    description: text,
    parts: required(parts, none),
    metadata: anyObject,
    extensions: texts,
  },
  "4.1.7",
);

/** Reads a missing state as UNSPECIFIED: ProtoJSON leaves out the default of an enum. */
const status = object(
  { state: required(state, () => "TASK_STATE_UNSPECIFIED"), message, timestamp: text },
  "4.1.2",
);

export const task = object(
  {
    id: required(filledText),
    contextId: textOrNothing,
    status: required(status),
    artifacts: list(artifact),
    history: list(message),
    metadata: anyObject,
  },
  "4.1.1",
);

export const statusUpdate = object(
  {
    taskId: required(filledText, empty),
    contextId: required(filledText, empty),
    status: required(status),
    metadata: anyObject,
  },
  "4.2.1",
);

export const artifactUpdate = object(
  {
    taskId: required(filledText, empty),
    contextId: required(filledText, empty),
    artifact: required(artifact),
    append: flag,
    lastChunk: flag,
    metadata: anyObject,
  },
  "4.2.2",
);

export const pushConfigFields = {
  tenant: textOrNothing,
  id: textOrNothing,
  taskId: textOrNothing,
  url: required(filledText),
  token: textOrNothing,
  authentication: object({ scheme: required(filledText), credentials: text }, "4.3.2"),
};
export const pushConfig = object(pushConfigFields, "4.3.1");
