// The fields that A2A requires, by message, under their names in JSON. Protobuf does not send a text that is empty, a list without
// entries or the number 0, so for these nothing means exactly that. Specification 1.0, section 4; 0.3, section 6.

const MESSAGE = ["messageId", "role"];
const ARTIFACT = ["artifactId", "parts"];
const STATUS_UPDATE = ["taskId", "contextId"];
const SKILL = ["id", "name", "description", "tags"];
const CARD = ["name", "description", "version", "defaultInputModes", "defaultOutputModes", "skills"];

const SHARED = {
  Task: ["id"],
  TaskStatus: ["state"],
  Artifact: ARTIFACT,
  TaskStatusUpdateEvent: STATUS_UPDATE,
  TaskArtifactUpdateEvent: STATUS_UPDATE,
  AgentProvider: ["organization", "url"],
  AgentSkill: SKILL,
  AgentCardSignature: ["protected", "signature"],
  APIKeySecurityScheme: ["location", "name"],
  HTTPAuthSecurityScheme: ["scheme"],
  OpenIdConnectSecurityScheme: ["openIdConnectUrl"],
  AuthorizationCodeOAuthFlow: ["authorizationUrl", "tokenUrl", "scopes"],
  ClientCredentialsOAuthFlow: ["tokenUrl", "scopes"],
  ImplicitOAuthFlow: ["authorizationUrl", "scopes"],
  PasswordOAuthFlow: ["tokenUrl", "scopes"],
} satisfies Record<string, readonly string[]>;

export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  ...inPackage("lf.a2a.v1", {
    ...SHARED,
    Message: [...MESSAGE, "parts"],
    AgentInterface: ["url", "protocolBinding", "protocolVersion"],
    AgentCard: [...CARD, "supportedInterfaces"],
    TaskPushNotificationConfig: ["url"],
    AuthenticationInfo: ["scheme"],
    DeviceCodeOAuthFlow: ["deviceAuthorizationUrl", "tokenUrl", "scopes"],
    ListTasksResponse: ["tasks", "nextPageToken", "pageSize", "totalSize"],
    ListTaskPushNotificationConfigsResponse: ["configs"],
  }),
  ...inPackage("a2a.v1", {
    ...SHARED,
    Message: [...MESSAGE, "content"],
    AgentInterface: ["url", "transport"],
    AgentCard: [...CARD, "url"],
    PushNotificationConfig: ["url"],
    AuthenticationInfo: ["schemes"],
    ListTaskPushNotificationConfigResponse: ["configs"],
  }),
};

function inPackage(
  name: string,
  messages: Record<string, readonly string[]>,
): Record<string, readonly string[]> {
  return Object.fromEntries(
    Object.entries(messages).map(([message, fields]) => [`${name}.${message}`, fields]),
  );
}
