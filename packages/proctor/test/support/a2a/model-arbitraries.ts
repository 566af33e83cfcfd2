// Any value of A2A's model that protobuf can carry whole, for property tests: what is absent is absent, and nothing is its type's default
// where protobuf could not tell the two apart.
import * as fc from "fast-check";
import { TASK_STATES } from "../../../src/protocols/a2a/model.ts";
import type {
  A2aArtifact,
  A2aMessage,
  A2aPart,
  A2aTask,
  AgentCard,
  PushConfig,
  SendRequest,
  StreamResponse,
  TaskStatus,
} from "../../../src/protocols/a2a/model.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";

export const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const anyText = fc.string({ unit: "grapheme", maxLength: 12 });
const texts = fc.array(text, { minLength: 1, maxLength: 3 });
/** An id that may stand in the name of a resource of 0.3. */
export const id = fc.stringMatching(/^[a-zA-Z0-9-]{1,16}$/);

/** JSON as it is parsed: no -0, no `__proto__` that is somebody else's. */
export const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Json)
  .filter((value) => !JSON.stringify(value).includes("__proto__"));
export const struct = fc
  .dictionary(text, json, { maxKeys: 3 })
  .filter((value) => !("__proto__" in value)) as fc.Arbitrary<JsonObject>;

/** As ProtoJSON writes it: in UTC, with 0, 3, 6 or 9 digits of a second, the last three of which are not all 0. */
export const timestamp = fc
  .tuple(
    fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(9999, 11, 31) }),
    fc.constantFrom("", ".001", ".250", ".123456", ".000001", ".000000001", ".999999999"),
  )
  .map(([ms, fraction]) => `${new Date(ms).toISOString().slice(0, 19)}${fraction}Z`);

const about = { filename: text, mediaType: text, metadata: struct };
function withAbout(name: string, content: fc.Arbitrary<Json>): fc.Arbitrary<A2aPart> {
  return fc
    .tuple(content, fc.record(about, { requiredKeys: [] }))
    .map(([value, more]) => ({ [name]: value, ...more }));
}

export const part: fc.Arbitrary<A2aPart> = fc.oneof(
  withAbout("text", anyText),
  withAbout(
    "raw",
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  ),
  withAbout("url", anyText),
  withAbout("data", json),
);
const parts = fc.array(part, { minLength: 1, maxLength: 3 });

export const message = fc.record(
  {
    messageId: text,
    contextId: text,
    taskId: text,
    role: fc.constantFrom("ROLE_USER", "ROLE_AGENT"),
    parts,
    metadata: struct,
    extensions: texts,
    referenceTaskIds: texts,
  },
  { requiredKeys: ["messageId", "role", "parts"] },
) as fc.Arbitrary<A2aMessage>;

const artifact = fc.record(
  { artifactId: text, name: text, description: text, parts, metadata: struct, extensions: texts },
  { requiredKeys: ["artifactId", "parts"] },
) as fc.Arbitrary<A2aArtifact>;

const status = fc.record(
  { state: fc.constantFrom(...TASK_STATES), message, timestamp },
  { requiredKeys: ["state"] },
) as fc.Arbitrary<TaskStatus>;

export const task = fc.record(
  {
    id: text,
    contextId: text,
    status,
    artifacts: fc.array(artifact, { minLength: 1, maxLength: 2 }),
    history: fc.array(message, { minLength: 1, maxLength: 2 }),
    metadata: struct,
  },
  { requiredKeys: ["id", "status"] },
) as fc.Arbitrary<A2aTask>;

const statusUpdate = fc.record(
  { taskId: text, contextId: text, status, metadata: struct },
  { requiredKeys: ["taskId", "contextId", "status"] },
);
const artifactUpdate = fc.record(
  {
    taskId: text,
    contextId: text,
    artifact,
    append: fc.constant(true),
    lastChunk: fc.constant(true),
    metadata: struct,
  },
  { requiredKeys: ["taskId", "contextId", "artifact"] },
);

export const frame = fc.oneof(
  fc.record({ task }),
  fc.record({ message }),
  fc.record({ statusUpdate }),
  fc.record({ artifactUpdate }),
) as fc.Arbitrary<StreamResponse>;

export const pushConfig = fc.record(
  {
    id,
    taskId: id,
    url: text,
    token: text,
    authentication: fc.record({ scheme: text, credentials: text }, { requiredKeys: ["scheme"] }),
  },
  { requiredKeys: ["id", "taskId", "url"] },
) as fc.Arbitrary<PushConfig>;

export const sendRequest = fc.record(
  {
    tenant: text,
    message,
    configuration: fc.record(
      {
        acceptedOutputModes: texts,
        taskPushNotificationConfig: pushConfig,
        historyLength: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
        returnImmediately: fc.constant(true),
      },
      { requiredKeys: [] },
    ),
    metadata: struct,
  },
  { requiredKeys: ["message"] },
) as fc.Arbitrary<SendRequest>;

const requirements = fc.array(
  fc.record({ schemes: fc.dictionary(id, fc.record({ list: texts }), { minKeys: 1, maxKeys: 2 }) }),
  { minLength: 1, maxLength: 2 },
);
const scopes = fc.dictionary(id, anyText, { maxKeys: 2 });
const scheme = fc.oneof(
  fc.record({ apiKeySecurityScheme: fc.record({ location: text, name: text }) }),
  fc.record({
    httpAuthSecurityScheme: fc.record({ scheme: text, bearerFormat: text }, { requiredKeys: ["scheme"] }),
  }),
  fc.record({ mtlsSecurityScheme: fc.record({ description: text }, { requiredKeys: [] }) }),
  fc.record({ openIdConnectSecurityScheme: fc.record({ openIdConnectUrl: text }) }),
  fc.record({
    oauth2SecurityScheme: fc.record({
      flows: fc.oneof(
        fc.record({ clientCredentials: fc.record({ tokenUrl: text, scopes }) }),
        fc.record({ authorizationCode: fc.record({ authorizationUrl: text, tokenUrl: text, scopes }) }),
      ),
    }),
  }),
);

export const card = fc.record(
  {
    name: text,
    description: text,
    version: text,
    supportedInterfaces: fc.array(
      fc.record(
        {
          url: text,
          protocolBinding: fc.constantFrom("JSONRPC", "GRPC"),
          protocolVersion: fc.constant("1.0"),
          tenant: text,
        },
        { requiredKeys: ["url", "protocolBinding", "protocolVersion"] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
    provider: fc.record({ organization: text, url: text }),
    documentationUrl: anyText,
    iconUrl: anyText,
    capabilities: fc.record(
      {
        streaming: fc.boolean(),
        pushNotifications: fc.boolean(),
        extendedAgentCard: fc.boolean(),
        extensions: fc.array(
          fc.record(
            { uri: text, description: text, required: fc.constant(true), params: struct },
            { requiredKeys: ["uri"] },
          ),
          { minLength: 1, maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    ),
    securitySchemes: fc.dictionary(id, scheme, { minKeys: 1, maxKeys: 2 }),
    securityRequirements: requirements,
    defaultInputModes: fc.array(text, { maxLength: 2 }),
    defaultOutputModes: fc.array(text, { maxLength: 2 }),
    skills: fc.array(
      fc.record(
        {
          id: text,
          name: text,
          description: text,
          tags: fc.array(text, { maxLength: 2 }),
          examples: texts,
          securityRequirements: requirements,
        },
        { requiredKeys: ["id", "name", "description", "tags"] },
      ),
      { maxLength: 2 },
    ),
    signatures: fc.array(
      fc.record(
        { protected: text, signature: text, header: struct },
        { requiredKeys: ["protected", "signature"] },
      ),
      { minLength: 1, maxLength: 1 },
    ),
  },
  {
    requiredKeys: [
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
) as fc.Arbitrary<AgentCard>;
