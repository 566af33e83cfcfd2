// Agent cards of 0.3: its JSON ↔ its ProtoJSON. They differ in how security is written.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { changeFields, each, object, present, values, type Change } from "./change-fields.ts";

/** `type` in JSON, and the field that stands for it in the .proto. */
const SCHEMES: readonly (readonly [type: string, field: string])[] = [
  ["apiKey", "apiKeySecurityScheme"],
  ["http", "httpAuthSecurityScheme"],
  ["oauth2", "oauth2SecurityScheme"],
  ["openIdConnect", "openIdConnectSecurityScheme"],
  ["mutualTLS", "mtlsSecurityScheme"],
];
/** The flows that a scheme can have; the .proto holds one of them. */
const FLOWS = ["authorizationCode", "clientCredentials", "implicit", "password"];

/** `[{scheme: [scope]}]` ← `[{schemes: {scheme: {list: [scope]}}}]`. */
const jsonSecurity = each(
  object(({ schemes }) =>
    Object.fromEntries(
      Object.entries(isJsonObject(schemes) ? schemes : {}).map(([name, scopes]) => [name, listOf(scopes)]),
    ),
  ),
);

function listOf(scopes: Json | undefined): Json {
  return (isJsonObject(scopes) ? scopes["list"] : scopes) ?? [];
}

const jsonScheme = object((json) => {
  const [type, field] = SCHEMES.find(([, name]) => json[name] !== undefined) ?? [];
  const scheme = field === undefined ? undefined : json[field];
  if (type === undefined || !isJsonObject(scheme)) return json;
  const { location, ...rest } = scheme;
  return { type, ...rest, ...present({ in: location }) };
});

const protoSecurity = each(
  object((schemes) => ({
    schemes: Object.fromEntries(Object.entries(schemes).map(([name, list]) => [name, { list: list ?? [] }])),
  })),
);

const protoFlows = object((flows, notes) => {
  const [first, ...others] = FLOWS.filter((name) => flows[name] !== undefined);
  notes.drop(Object.fromEntries(others.map((name) => [name, flows[name]])));
  const rest = Object.entries(flows).filter(([name]) => name === first || !FLOWS.includes(name));
  return Object.fromEntries(rest);
});

const protoScheme = object((json, notes) => {
  const { type, in: location, ...rest } = json;
  const [, field] = SCHEMES.find(([name]) => name === type) ?? [];
  if (field === undefined) {
    notes.lose("is of a type that the .proto of A2A 0.3 does not know");
    return json;
  }
  return { [field]: changeFields({ ...rest, ...present({ location }) }, { flows: protoFlows }, notes) };
});

const skills = (security: Change): Change =>
  each(object((json, notes) => changeFields(json, { security }, notes)));

export const jsonCard = object((json, notes) => ({
  // What protobuf does not send has its default: no capabilities, of no version in particular.
  protocolVersion: "0.3",
  capabilities: {},
  ...changeFields(
    json,
    { security: jsonSecurity, securitySchemes: values(jsonScheme), skills: skills(jsonSecurity) },
    notes,
  ),
}));

export const protoCard = object(({ iconUrl, capabilities, ...rest }, notes) => {
  notes.drop({ iconUrl });
  const { stateTransitionHistory, ...known }: JsonObject = isJsonObject(capabilities) ? capabilities : {};
  notes.at("capabilities").drop({ stateTransitionHistory });
  return {
    ...changeFields(
      rest,
      { security: protoSecurity, securitySchemes: values(protoScheme), skills: skills(protoSecurity) },
      notes,
    ),
    capabilities: known,
  };
});
