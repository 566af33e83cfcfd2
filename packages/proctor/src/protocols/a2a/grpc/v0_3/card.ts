// Agent cards of 0.3: its JSON ↔ its ProtoJSON. They differ in how security is written, for which the .proto of 0.3 already has the form of
// 1.0.
import type { Json, JsonObject } from "../../../../core/json.ts";
import { lossesOfLegacy } from "../../legacy.ts";
import { each, only, translateFields, type Translation } from "../../translating.ts";
import { requirementsDown, requirementsUp, schemesDown, schemesUp } from "../../v0_3/security.ts";
import { withoutFields } from "./to-proto-json.ts";

export function cardFromProto(json: JsonObject, translation: Translation): JsonObject {
  const skill = (value: JsonObject): Json =>
    translateFields(value, { security: requirementsDown }, translation);
  const fields = { security: requirementsDown, securitySchemes: schemesDown, skills: each(skill) };
  // A message without any field that was set may not have been sent.
  return { capabilities: {}, ...translateFields(json, fields, translation) };
}

export function cardToProto(json: JsonObject, translation: Translation): JsonObject {
  const known = withoutFields(json, ["iconUrl"], translation);
  const skill = (value: JsonObject): Json =>
    translateFields(value, { security: requirementsUp }, translation);
  const fields = {
    security: requirementsUp,
    securitySchemes: (schemes: Json) => schemesToProto(schemes, translation),
    skills: each(skill),
    capabilities: only((value) => withoutFields(value, ["stateTransitionHistory"], translation)),
  };
  return translateFields(known, fields, translation);
}

/** A scheme of OAuth can have several flows in JSON, and one in the .proto. */
function schemesToProto(schemes: Json, translation: Translation): Json {
  const up = schemesUp(schemes);
  for (const { path } of lossesOfLegacy(up, "")) {
    translation.lose("has no place in the .proto of A2A 0.3, and is left out", path);
  }
  return up;
}
