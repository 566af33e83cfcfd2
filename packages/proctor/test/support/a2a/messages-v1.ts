// Every message of A2A 1.0 that is right, by operation, with fields that nobody knows at every level.
import * as fc from "fast-check";
import type { RequestOperation, ResultOperation } from "../../../src/protocols/a2a/codec.ts";
import { TASK_STATES } from "../../../src/protocols/a2a/model.ts";
import { anyObject, base64, filledTexts, id, json, list, named, open, texts, words } from "./arbitrary.ts";

const CONTENTS = ["text", "raw", "url", "data"];
const beside = { filename: words, mediaType: words, metadata: anyObject };
const partOf = (content: Record<string, fc.Arbitrary<unknown>>) =>
  open({ ...content, ...beside }, { required: Object.keys(content), not: CONTENTS });
const part = fc.oneof(
  partOf({ text: words }),
  partOf({ raw: base64 }),
  partOf({ url: words }),
  partOf({ data: json }),
  partOf({ hologram: json }),
);

const message = open(
  {
    messageId: id,
    role: fc.constantFrom("ROLE_USER", "ROLE_AGENT"),
    parts: list(part, 1),
    contextId: id,
    taskId: id,
    metadata: anyObject,
    extensions: texts,
    referenceTaskIds: texts,
  },
  { required: ["messageId", "role", "parts"] },
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
const status = open(
  { state: fc.constantFrom(...TASK_STATES), message, timestamp: fc.constant("2025-10-28T10:30:00.000Z") },
  { required: ["state"] },
);
const task = open(
  { id, status, contextId: id, artifacts: list(artifact), history: list(message), metadata: anyObject },
  { required: ["id", "status"] },
);
const statusUpdate = open(
  { taskId: id, contextId: id, status, metadata: anyObject },
  { required: ["taskId", "contextId", "status"] },
);
const artifactUpdate = open(
  { taskId: id, contextId: id, artifact, append: fc.boolean(), lastChunk: fc.boolean(), metadata: anyObject },
  { required: ["taskId", "contextId", "artifact"] },
);

const KINDS = ["task", "message", "statusUpdate", "artifactUpdate"];
const wrapped = (name: string, value: fc.Arbitrary<unknown>) =>
  open({ [name]: value }, { required: [name], not: KINDS });

export const framesV1 = fc.oneof(
  wrapped("task", task),
  wrapped("message", message),
  wrapped("statusUpdate", statusUpdate),
  wrapped("artifactUpdate", artifactUpdate),
);

const tenant = { tenant: id };
const authentication = open({ scheme: id, credentials: words }, { required: ["scheme"] });
const config = { ...tenant, id, url: id, token: id, authentication };
const pushConfig = open({ ...config, taskId: id }, { required: ["url", "taskId"] });
const configuration = open(
  {
    acceptedOutputModes: texts,
    historyLength: fc.nat(100),
    returnImmediately: fc.boolean(),
    taskPushNotificationConfig: open(config, { required: ["url"], not: ["taskId"] }),
  },
  { required: [] },
);
const send = open({ ...tenant, message, configuration, metadata: anyObject }, { required: ["message"] });
const ofTask = (more: Record<string, fc.Arbitrary<unknown>> = {}) =>
  open({ ...tenant, id, metadata: anyObject, ...more }, { required: ["id"] });
const ofConfig = open({ ...tenant, taskId: id, id, metadata: anyObject }, { required: ["taskId", "id"] });

export const requestsV1: Readonly<Record<RequestOperation, fc.Arbitrary<object>>> = {
  send,
  stream: send,
  subscribe: ofTask(),
  getTask: ofTask({ historyLength: fc.nat(100) }),
  cancelTask: ofTask(),
  listTasks: open(
    {
      ...tenant,
      contextId: id,
      status: fc.constantFrom(...TASK_STATES.slice(1)),
      pageSize: fc.integer({ min: 1, max: 100 }),
      pageToken: words,
      historyLength: fc.nat(100),
      includeArtifacts: fc.boolean(),
    },
    { required: [] },
  ),
  createPushConfig: pushConfig,
  getPushConfig: ofConfig,
  deletePushConfig: ofConfig,
  listPushConfigs: open(
    { ...tenant, taskId: id, pageSize: fc.nat(100), pageToken: words, metadata: anyObject },
    { required: ["taskId"] },
  ),
};

const scopes = fc.dictionary(words, words, { maxKeys: 2 });
const flow = (urls: string[], more: Record<string, fc.Arbitrary<unknown>> = {}) =>
  open(
    { ...Object.fromEntries(urls.map((name) => [name, words])), scopes, refreshUrl: words, ...more },
    { required: [...urls, "scopes"] },
  );
const FLOWS = ["authorizationCode", "clientCredentials", "implicit", "password", "deviceCode"];
const flowOf = (name: string, value: fc.Arbitrary<unknown>) =>
  open({ [name]: value }, { required: [name], not: FLOWS });
const flows = fc.oneof(
  flowOf("authorizationCode", flow(["authorizationUrl", "tokenUrl"], { pkceRequired: fc.boolean() })),
  flowOf("clientCredentials", flow(["tokenUrl"])),
  flowOf("implicit", flow(["authorizationUrl"])),
  flowOf("password", flow(["tokenUrl"])),
  flowOf("deviceCode", flow(["deviceAuthorizationUrl", "tokenUrl"])),
);
const SCHEMES = ["apiKey", "httpAuth", "oauth2", "openIdConnect", "mtls"].map(
  (name) => `${name}SecurityScheme`,
);
const scheme = (name: string, fields: Record<string, fc.Arbitrary<unknown>>) =>
  open(
    { [name]: open({ ...fields, description: words }, { required: Object.keys(fields) }) },
    { required: [name], not: [...SCHEMES, "type"] },
  );
const schemes = fc.oneof(
  scheme("apiKeySecurityScheme", { location: fc.constantFrom("query", "header", "cookie"), name: words }),
  scheme("httpAuthSecurityScheme", { scheme: words, bearerFormat: words }),
  scheme("oauth2SecurityScheme", { flows, oauth2MetadataUrl: words }),
  scheme("openIdConnectSecurityScheme", { openIdConnectUrl: words }),
  scheme("mtlsSecurityScheme", {}),
);
const requirement = open(
  { schemes: named(open({ list: texts }, { required: ["list"] })) },
  { required: ["schemes"] },
);
const skill = open(
  {
    id,
    name: words,
    description: words,
    tags: filledTexts,
    examples: texts,
    inputModes: texts,
    outputModes: texts,
    securityRequirements: list(requirement),
  },
  { required: ["id", "name", "description", "tags"] },
);
const extension = open(
  { uri: id, description: words, required: fc.boolean(), params: anyObject },
  { required: ["uri"] },
);
const agentInterface = open(
  {
    url: id,
    protocolBinding: fc.constantFrom("JSONRPC", "HTTP+JSON", "GRPC", "https://example.com/b"),
    protocolVersion: fc.constantFrom("1.0", "0.3"),
    tenant: id,
  },
  { required: ["url", "protocolBinding", "protocolVersion"] },
);

export const cardsV1 = open(
  {
    name: words,
    description: words,
    version: words,
    supportedInterfaces: list(agentInterface, 1),
    provider: open({ organization: words, url: words }, { required: ["organization", "url"] }),
    documentationUrl: words,
    iconUrl: words,
    capabilities: open(
      {
        streaming: fc.boolean(),
        pushNotifications: fc.boolean(),
        extendedAgentCard: fc.boolean(),
        extensions: list(extension),
      },
      { required: [] },
    ),
    securitySchemes: named(schemes),
    securityRequirements: list(requirement),
    defaultInputModes: filledTexts,
    defaultOutputModes: filledTexts,
    skills: list(skill, 1),
    signatures: list(
      open({ protected: id, signature: id, header: anyObject }, { required: ["protected", "signature"] }),
    ),
  },
  {
    required: [
      "name",
      "description",
      "version",
      "supportedInterfaces",
      "capabilities",
      "defaultInputModes",
      "defaultOutputModes",
      "skills",
    ],
  },
);

export const resultsV1: Readonly<Record<Exclude<ResultOperation, "deletePushConfig">, fc.Arbitrary<object>>> =
  {
    card: cardsV1,
    extendedCard: cardsV1,
    send: fc.oneof(wrapped("task", task), wrapped("message", message)),
    getTask: task,
    cancelTask: task,
    listTasks: open(
      { tasks: list(task), nextPageToken: words, pageSize: fc.nat(100), totalSize: fc.nat(100) },
      { required: ["tasks", "nextPageToken", "pageSize", "totalSize"] },
    ),
    createPushConfig: pushConfig,
    getPushConfig: pushConfig,
    listPushConfigs: open({ configs: list(pushConfig), nextPageToken: id }, { required: ["configs"] }),
  };
