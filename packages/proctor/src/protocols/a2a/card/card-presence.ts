// Which fields of a card may be left out where they say nothing, by specification/a2a.proto of 1.0: what is signed depends on it
// (section 8.4.1).

export interface Presence {
  /** REQUIRED: always written. OPTIONAL (`optional` in the .proto, or an object): written where it was set. Others: not by default. */
  is: "required" | "optional" | "plain";
  /** True where the object's keys are free names. */
  map?: true;
  /** Fields of the object, of each object of a list, or of each value of a map; absent where the content is opaque. */
  fields?: PresenceTable;
}

export type PresenceTable = Readonly<Record<string, Presence>>;

const required: Presence = { is: "required" };
const optional: Presence = { is: "optional" };
const plain: Presence = { is: "plain" };

const requirements: Presence = {
  is: "plain",
  fields: { schemes: { is: "plain", map: true, fields: { list: plain } } },
};

const flow = { refreshUrl: plain, scopes: { is: "required", map: true } } as const;
const oldFlow = { refreshUrl: plain, scopes: { is: "plain", map: true } } as const;

const flows: PresenceTable = {
  authorizationCode: {
    is: "optional",
    fields: { ...flow, authorizationUrl: required, tokenUrl: required, pkceRequired: plain },
  },
  clientCredentials: { is: "optional", fields: { ...flow, tokenUrl: required } },
  implicit: { is: "optional", fields: { ...oldFlow, authorizationUrl: plain } },
  password: { is: "optional", fields: { ...oldFlow, tokenUrl: plain } },
  deviceCode: { is: "optional", fields: { ...flow, deviceAuthorizationUrl: required, tokenUrl: required } },
};

const described = { description: plain };

const schemes: PresenceTable = {
  apiKeySecurityScheme: { is: "optional", fields: { ...described, location: required, name: required } },
  httpAuthSecurityScheme: { is: "optional", fields: { ...described, scheme: required, bearerFormat: plain } },
  oauth2SecurityScheme: {
    is: "optional",
    fields: { ...described, flows: { is: "required", fields: flows }, oauth2MetadataUrl: plain },
  },
  openIdConnectSecurityScheme: { is: "optional", fields: { ...described, openIdConnectUrl: required } },
  mtlsSecurityScheme: { is: "optional", fields: described },
};

export const CARD_PRESENCE: PresenceTable = {
  name: required,
  description: required,
  version: required,
  supportedInterfaces: {
    is: "required",
    fields: { url: required, protocolBinding: required, protocolVersion: required, tenant: plain },
  },
  provider: { is: "optional", fields: { url: required, organization: required } },
  documentationUrl: optional,
  iconUrl: optional,
  capabilities: {
    is: "required",
    fields: {
      streaming: optional,
      pushNotifications: optional,
      extendedAgentCard: optional,
      extensions: {
        is: "plain",
        fields: { uri: plain, description: plain, required: plain, params: optional },
      },
    },
  },
  securitySchemes: { is: "plain", map: true, fields: schemes },
  securityRequirements: requirements,
  defaultInputModes: required,
  defaultOutputModes: required,
  skills: {
    is: "required",
    fields: {
      id: required,
      name: required,
      description: required,
      tags: required,
      examples: plain,
      inputModes: plain,
      outputModes: plain,
      securityRequirements: requirements,
    },
  },
};
