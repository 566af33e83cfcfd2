// The card of an agent in A2A 1.0, section 4.4.
import { anyObject, filledText, flag, list, mapOf, required, text, texts } from "../readers.ts";
import { object } from "./wire-parts.ts";

const none = (): [] => [];
const empty = (): string => "";

const agentInterface = object(
  {
    url: required(filledText),
    protocolBinding: required(filledText),
    protocolVersion: required(filledText, () => "1.0"),
    tenant: text,
  },
  "4.4.6",
);

const extension = object(
  { uri: required(filledText), description: text, required: flag, params: anyObject },
  "4.4.4",
);

const requirements = list(object({ schemes: required(mapOf(object({ list: texts })), () => ({})) }, "4.5.1"));

const skill = object(
  {
    id: required(filledText, empty),
    name: required(text, empty),
    description: required(text, empty),
    tags: required(list(text, { atLeast: "one tag" }), none),
    examples: texts,
    inputModes: texts,
    outputModes: texts,
    securityRequirements: requirements,
  },
  "4.4.5",
);

export const card = object(
  {
    name: required(text, empty),
    description: required(text, empty),
    version: required(text, empty),
    supportedInterfaces: required(list(agentInterface, { atLeast: "one interface" })),
    provider: object({ organization: required(text, empty), url: required(text, empty) }, "4.4.2"),
    documentationUrl: text,
    iconUrl: text,
    capabilities: required(
      object(
        {
          streaming: flag,
          pushNotifications: flag,
          extendedAgentCard: flag,
          extensions: list(extension),
        },
        "4.4.3",
      ),
      () => ({}),
    ),
    securitySchemes: mapOf(anyObject),
    securityRequirements: requirements,
    defaultInputModes: required(list(text, { atLeast: "one media type" }), none),
    defaultOutputModes: required(list(text, { atLeast: "one media type" }), none),
    skills: required(list(skill, { atLeast: "one skill" }), none),
    signatures: list(
      object(
        { protected: required(filledText), signature: required(filledText), header: anyObject },
        "4.4.7",
      ),
    ),
  },
  "4.4.1",
);
