// Every message of A2A 0.3 that is right, by operation, with fields that nobody knows at every level.
import * as fc from "fast-check";
import type { RequestOperation, ResultOperation } from "../../../src/protocols/a2a/codec.ts";
import { anyObject, base64, filledTexts, id, json, list, named, open, texts, words } from "./arbitrary.ts";

const kind = (name: string) => ({ kind: fc.constant(name) });
const file = fc.oneof(
  open({ bytes: base64, name: words, mimeType: words }, { required: ["bytes"], not: ["uri"] }),
  open({ uri: words, name: words, mimeType: words }, { required: ["uri"], not: ["bytes"] }),
);
const part = fc.oneof(
  open({ ...kind("text"), text: words, metadata: anyObject }, { required: ["kind", "text"] }),
  open({ ...kind("file"), file, metadata: anyObject }, { required: ["kind", "file"] }),
  open({ ...kind("data"), data: anyObject, metadata: anyObject }, { required: ["kind", "data"] }),
  open({ ...kind("video"), frames: json }, { required: ["kind"] }),
);

const message = open(
  {
    ...kind("message"),
    messageId: id,
    role: fc.constantFrom("user", "agent"),
    parts: list(part, 1),
    contextId: id,
    taskId: id,
    metadata: anyObject,
    extensions: texts,
    referenceTaskIds: texts,
  },
  { required: ["kind", "messageId", "role", "parts"] },
);
const artifact = open(
  {
    artifactId: id,
    parts: list(part, 1),
    name: words,
    description: words,
    metadata: anyObject,
    extensions: texts,
  },
  { required: ["artifactId", "parts"] },
);
const STATES =
  "submitted working input-required completed canceled failed rejected auth-required unknown paused".split(
    " ",
  );
const status = open(
  { state: fc.constantFrom(...STATES), message, timestamp: fc.constant("2025-10-28T10:30:00Z") },
  { required: ["state"] },
);
const task = open(
  {
    ...kind("task"),
    id,
    contextId: id,
    status,
    artifacts: list(artifact),
    history: list(message),
    metadata: anyObject,
  },
  { required: ["kind", "id", "contextId", "status"] },
);
const update = { taskId: id, contextId: id, metadata: anyObject };
const statusUpdate = open(
  { ...kind("status-update"), ...update, status, final: fc.boolean() },
  { required: ["kind", "taskId", "contextId", "status", "final"] },
);
const artifactUpdate = open(
  { ...kind("artifact-update"), ...update, artifact, append: fc.boolean(), lastChunk: fc.boolean() },
  { required: ["kind", "taskId", "contextId", "artifact"] },
);
const later = open({ ...kind("heartbeat"), beat: fc.nat() }, { required: ["kind", "beat"] });

export const framesV03 = fc.oneof(task, message, statusUpdate, artifactUpdate);
/** Something that 0.3 does not know. */
export const laterFramesV03 = later;

const authentication = open({ schemes: texts, credentials: words }, { required: ["schemes"] });
const config = open({ id, url: id, token: id, authentication }, { required: ["url"] });
const taskConfig = open(
  { taskId: id, pushNotificationConfig: config },
  { required: ["taskId", "pushNotificationConfig"] },
);
const configuration = open(
  {
    acceptedOutputModes: texts,
    blocking: fc.boolean(),
    historyLength: fc.nat(100),
    pushNotificationConfig: config,
  },
  { required: [] },
);
const send = open({ message, configuration, metadata: anyObject }, { required: ["message"] });
const ofTask = (more: Record<string, fc.Arbitrary<unknown>> = {}, required: string[] = []) =>
  open({ id, metadata: anyObject, ...more }, { required: ["id", ...required] });

export const requestsV03: Readonly<Record<Exclude<RequestOperation, "listTasks">, fc.Arbitrary<object>>> = {
  send,
  stream: send,
  subscribe: ofTask(),
  getTask: ofTask({ historyLength: fc.nat(100) }),
  cancelTask: ofTask(),
  createPushConfig: taskConfig,
  getPushConfig: ofTask({ pushNotificationConfigId: id }),
  deletePushConfig: ofTask({ pushNotificationConfigId: id }, ["pushNotificationConfigId"]),
  listPushConfigs: ofTask(),
};

const scopes = fc.dictionary(words, words, { maxKeys: 2 });
const flow = (urls: string[]) =>
  open(
    { ...Object.fromEntries(urls.map((name) => [name, words])), scopes, refreshUrl: words },
    { required: [...urls, "scopes"] },
  );
const flows = open(
  {
    authorizationCode: flow(["authorizationUrl", "tokenUrl"]),
    clientCredentials: flow(["tokenUrl"]),
    implicit: flow(["authorizationUrl"]),
    password: flow(["tokenUrl"]),
  },
  { required: [] },
);
const scheme = (type: string, fields: Record<string, fc.Arbitrary<unknown>>) =>
  open(
    { type: fc.constant(type), description: words, ...fields },
    { required: ["type", ...Object.keys(fields)] },
  );
const schemes = fc.oneof(
  scheme("apiKey", { in: fc.constantFrom("cookie", "header", "query"), name: words }),
  scheme("http", { scheme: words, bearerFormat: words }),
  scheme("oauth2", { flows, oauth2MetadataUrl: words }),
  scheme("openIdConnect", { openIdConnectUrl: words }),
  scheme("mutualTLS", {}),
  scheme("quantum", { entangled: fc.boolean() }),
);
const security = list(named(texts));
const skill = open(
  {
    id,
    name: words,
    description: words,
    tags: filledTexts,
    examples: texts,
    inputModes: texts,
    outputModes: texts,
    security,
  },
  { required: ["id", "name", "description", "tags"] },
);
const extension = open(
  { uri: id, description: words, required: fc.boolean(), params: anyObject },
  { required: ["uri"] },
);
const transport = fc.constantFrom("JSONRPC", "HTTP+JSON", "GRPC");
const url = fc.constantFrom("http://a", "http://b", "http://c");

export const cardsV03 = open(
  {
    protocolVersion: fc.constantFrom("0.3.0", "0.2.6"),
    name: words,
    description: words,
    version: words,
    url,
    preferredTransport: transport,
    additionalInterfaces: fc.array(open({ url, transport }, { required: ["url", "transport"] }), {
      maxLength: 4,
    }),
    provider: open({ organization: words, url: words }, { required: ["organization", "url"] }),
    documentationUrl: words,
    iconUrl: words,
    capabilities: open(
      {
        streaming: fc.boolean(),
        pushNotifications: fc.boolean(),
        stateTransitionHistory: fc.boolean(),
        extensions: list(extension),
      },
      { required: [] },
    ),
    securitySchemes: named(schemes),
    security,
    defaultInputModes: filledTexts,
    defaultOutputModes: filledTexts,
    skills: list(skill, 1),
    supportsAuthenticatedExtendedCard: fc.boolean(),
    signatures: list(anyObject),
  },
  {
    required: [
      "name",
      "description",
      "version",
      "url",
      "capabilities",
      "defaultInputModes",
      "defaultOutputModes",
      "skills",
    ],
  },
);

export const resultsV03: Readonly<
  Record<Exclude<ResultOperation, "deletePushConfig" | "listTasks">, fc.Arbitrary<object>>
> = {
  card: cardsV03,
  extendedCard: cardsV03,
  send: fc.oneof(task, message),
  getTask: task,
  cancelTask: task,
  createPushConfig: taskConfig,
  getPushConfig: taskConfig,
  listPushConfigs: list(taskConfig),
};
