// The card of an agent in 0.3, section 5.5, which is also how cards of 0.2 are read.
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { legacyOf, withLegacy } from "../legacy.ts";
import { anyObject, filledText, flag, list, mapOf, required, text, texts } from "../readers.ts";
import { each, leaveOut, split, translateFields, type Translation } from "../translating.ts";
import { INTERFACE_FIELDS, interfacesDown, interfacesUp } from "./interfaces.ts";
import { requirementsDown, requirementsUp, schemesDown, schemesUp } from "./security.ts";
import { object } from "./wire-parts.ts";

const none = (): [] => [];
const empty = (): string => "";
const security = list(mapOf(texts));

const skill = object(
  {
    id: required(filledText, empty),
    name: required(text, empty),
    description: required(text, empty),
    tags: required(texts, none),
    examples: texts,
    inputModes: texts,
    outputModes: texts,
    security,
  },
  "5.5.4",
);

const capabilities = object(
  {
    streaming: flag,
    pushNotifications: flag,
    stateTransitionHistory: flag,
    extensions: list(
      object({ uri: required(filledText), description: text, required: flag, params: anyObject }, "5.5.2.1"),
    ),
  },
  "5.5.2",
);

export const card = object(
  {
    protocolVersion: text,
    name: required(text, empty),
    description: required(text, empty),
    version: required(text, empty),
    url: required(filledText),
    preferredTransport: filledText,
    additionalInterfaces: list(
      object({ url: required(filledText), transport: required(filledText) }, "5.5.5"),
    ),
    provider: object({ organization: required(text, empty), url: required(text, empty) }, "5.5.1"),
    documentationUrl: text,
    iconUrl: text,
    capabilities: required(capabilities, () => ({})),
    securitySchemes: mapOf(anyObject),
    security,
    defaultInputModes: required(texts, none),
    defaultOutputModes: required(texts, none),
    skills: required(list(skill), none),
    supportsAuthenticatedExtendedCard: flag,
    signatures: list(anyObject),
  },
  "5.5",
);

/** Names that 1.0 gives a meaning which they do not have in 0.3. A signature holds for the card as it was written, not as it is read. */
const CLAIMED = ["supportedInterfaces", "securityRequirements", "signatures"];

export function cardUp(wire: JsonObject, translation: Translation): JsonObject {
  const [addresses, rest] = split(wire, INTERFACE_FIELDS);
  const {
    supportsAuthenticatedExtendedCard: extended,
    security: requirements,
    capabilities: can,
    ...open
  } = rest;
  const [fields, kept] = split(open, CLAIMED);
  const up = translateFields(kept, { securitySchemes: schemesUp, skills: each(skillUp) }, translation);
  return withLegacy(
    {
      ...up,
      supportedInterfaces: interfacesUp(addresses),
      capabilities: capabilitiesUp(
        isJsonObject(can) ? can : {},
        extended === undefined ? {} : { extendedAgentCard: extended },
      ),
      ...(requirements !== undefined && { securityRequirements: requirementsUp(requirements) }),
    },
    { fields },
  );
}

function capabilitiesUp(wire: JsonObject, extended: JsonObject): JsonObject {
  const [fields, open] = split(wire, ["extendedAgentCard", "stateTransitionHistory"]);
  return withLegacy({ ...open, ...extended }, { fields });
}

function skillUp(wire: JsonObject): JsonObject {
  const { security: requirements, ...rest } = wire;
  const [fields, open] = split(rest, ["securityRequirements"]);
  const more = requirements !== undefined && { securityRequirements: requirementsUp(requirements) };
  return withLegacy({ ...open, ...more }, { fields });
}

export function cardDown(model: JsonObject, translation: Translation): JsonObject {
  const { supportedInterfaces, securityRequirements, capabilities: can, ...rest } = model;
  const open = leaveOut(
    rest,
    [...INTERFACE_FIELDS, "security", "supportsAuthenticatedExtendedCard", "signatures"],
    translation,
  );
  const addresses = interfacesDown(supportedInterfaces, translation);
  const { extendedAgentCard, ...able } = leaveOut(
    isJsonObject(can) ? can : {},
    ["stateTransitionHistory"],
    translation,
  );
  const down = translateFields(
    { ...open, capabilities: able, ...(securityRequirements !== undefined && { securityRequirements }) },
    { securitySchemes: schemesDown, skills: each(skillDown), securityRequirements: requirementsDown },
    translation,
  );
  const { securityRequirements: security, ...written } = down;
  return {
    ...addresses,
    ...written,
    capabilities: { ...able, ...legacyOf(isJsonObject(can) ? can : {}).fields },
    ...(security !== undefined && { security }),
    ...(extendedAgentCard !== undefined && { supportsAuthenticatedExtendedCard: extendedAgentCard }),
    ...legacyOf(model).fields,
  };
}

function skillDown(model: JsonObject, translation: Translation): JsonObject {
  const open = leaveOut(model, ["security"], translation);
  const { securityRequirements, ...rest } = translateFields(
    open,
    { securityRequirements: requirementsDown },
    translation,
  );
  return {
    ...rest,
    ...(securityRequirements !== undefined && { security: securityRequirements }),
    ...legacyOf(model).fields,
  };
}
