// Security schemes and requirements: by `type`, as in OpenAPI, in 0.3; under a key that says the kind in 1.0.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { legacyOf, withLegacy, withoutLegacy } from "../legacy.ts";
import { leaveOut, only, split, translateFields, type Translation } from "../translating.ts";

/** Type of 0.3 and key of 1.0; `renamed` fields have the first name in 0.3, the second in 1.0. */
const SCHEMES: readonly { type: string; key: string; renamed?: readonly [string, string] }[] = [
  { type: "apiKey", key: "apiKeySecurityScheme", renamed: ["in", "location"] },
  { type: "http", key: "httpAuthSecurityScheme" },
  { type: "oauth2", key: "oauth2SecurityScheme" },
  { type: "openIdConnect", key: "openIdConnectSecurityScheme" },
  { type: "mutualTLS", key: "mtlsSecurityScheme" },
];
const KEYS = SCHEMES.map(({ key }) => key);

/** Schemes of other types are kept unchanged. */
function schemeUp(scheme: JsonObject): JsonObject {
  const { type, ...rest } = scheme;
  const known = SCHEMES.find((entry) => entry.type === type);
  if (!known) {
    const [fields, open] = split(scheme, KEYS);
    return withLegacy(open, { fields });
  }
  const inner = known.type === "oauth2" ? oauthUp(rest) : renamed(rest, known.renamed);
  return { [known.key]: inner };
}

function schemeDown(scheme: JsonObject, translation: Translation): JsonObject | undefined {
  const known = SCHEMES.find(({ key }) => isJsonObject(scheme[key]));
  if (!known) {
    if (typeof scheme["type"] === "string") return { ...withoutLegacy(scheme), ...legacyOf(scheme).fields };
    translation.lose("is a scheme that A2A 0.3 does not know, and is left out");
    return undefined;
  }
  leaveOut(
    scheme,
    Object.keys(scheme).filter((name) => name !== known.key),
    translation,
  );
  translation.enter(known.key);
  // Found to be an object above.
  const inner = leaveOut(
    scheme[known.key] as JsonObject,
    ["type", ...(known.renamed?.slice(0, 1) ?? [])],
    translation,
  );
  const legacy = legacyOf(scheme[known.key] as JsonObject).fields;
  const [from, to] = known.renamed ?? [];
  const down =
    known.type === "oauth2"
      ? oauthDown(inner, legacy, translation)
      : renamed(inner, from !== undefined && to !== undefined ? [to, from] : undefined);
  translation.leave();
  return { type: known.type, ...down, ...(known.type !== "oauth2" && legacy) };
}

/** Renames a field. A field that already has the new name has a meaning of its own. */
function renamed(value: JsonObject, names: readonly [string, string] | undefined): JsonObject {
  if (!names) return value;
  const [from, to] = names;
  const { [from]: given, ...rest } = value;
  const [fields, open] = split(rest, [to]);
  return withLegacy({ ...open, ...(given !== undefined && { [to]: given }) }, { fields });
}

const PKCE = ["pkceRequired"];
/** Flows in the order of preference: a scheme of 1.0 has one, the first of these that it has. */
const FLOWS = ["authorizationCode", "clientCredentials", "implicit", "password"];

function oauthUp(scheme: JsonObject): JsonObject {
  const { flows } = scheme;
  if (!isJsonObject(flows)) return scheme;
  const [, ...others] = FLOWS.filter((name) => flows[name] !== undefined);
  const [fields, open] = split(flows, [...others, "deviceCode"]);
  return {
    ...scheme,
    flows: withLegacy(translateFields(open, { authorizationCode: only(codeUp) }), { fields }),
  };
}

function codeUp(flow: JsonObject): JsonObject {
  const [fields, open] = split(flow, PKCE);
  return withLegacy(open, { fields });
}

function codeDown(flow: JsonObject, translation: Translation): JsonObject {
  return { ...leaveOut(flow, PKCE, translation), ...legacyOf(flow).fields };
}

function oauthDown(scheme: JsonObject, fields: JsonObject | undefined, translation: Translation): JsonObject {
  const down = translateFields(
    scheme,
    {
      flows: (flows) => {
        if (!isJsonObject(flows)) return flows;
        const open = leaveOut(flows, ["deviceCode"], translation);
        const down = translateFields(open, { authorizationCode: only(codeDown) }, translation);
        return { ...down, ...legacyOf(flows).fields };
      },
    },
    translation,
  );
  return { ...down, ...fields };
}

export function schemesUp(schemes: Json): Json {
  if (!isJsonObject(schemes)) return schemes;
  const entries = Object.entries(schemes);
  return Object.fromEntries(
    entries.map(([name, scheme]) => [name, isJsonObject(scheme) ? schemeUp(scheme) : scheme]),
  );
}

export function schemesDown(schemes: Json, translation: Translation): Json {
  if (!isJsonObject(schemes)) return schemes;
  const entries = Object.entries(schemes).map(([name, scheme]) => {
    translation.enter(name);
    const down = isJsonObject(scheme) ? schemeDown(scheme, translation) : undefined;
    translation.leave();
    return [name, down] as const;
  });
  return Object.fromEntries(entries.filter(([, scheme]) => scheme !== undefined));
}

/** Translates `[{name: [scope]}]` of 0.3 to `[{schemes: {name: {list: [scope]}}}]` of 1.0. */
export function requirementsUp(requirements: Json): Json {
  if (!Array.isArray(requirements)) return requirements;
  return requirements.filter(isJsonObject).map((requirement) => ({
    schemes: Object.fromEntries(
      Object.entries(requirement).map(([name, scopes]) => [name, { list: scopes ?? [] }]),
    ),
  }));
}

export function requirementsDown(requirements: Json, translation: Translation): Json {
  if (!Array.isArray(requirements)) return requirements;
  return requirements.map((requirement, index) => {
    translation.enter(index);
    const { schemes, ...more } = isJsonObject(requirement) ? requirement : {};
    leaveOut(more, Object.keys(more), translation);
    translation.leave();
    const entries = Object.entries(isJsonObject(schemes) ? schemes : {});
    return Object.fromEntries(entries.map(([name, scopes]) => [name, scopesOf(scopes)]));
  });
}

function scopesOf(scopes: Json | undefined): Json {
  return isJsonObject(scopes) ? (scopes["list"] ?? []) : [];
}
