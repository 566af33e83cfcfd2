// Push configurations and cards in the ProtoJSON of 0.3, see proto-json.ts: configurations have names that are paths, and the security of a
// card has the shapes that 1.0 kept.
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { each, only, translateFields } from "../translating.ts";
import { pushConfigIdsOf, pushConfigName } from "./resource-names.ts";
import { requirementsDown, requirementsUp, schemesDown, schemesUp } from "./security.ts";

export const configOut = only((value) => {
  const { taskId, pushNotificationConfig: config, ...rest } = value;
  const { id } = isJsonObject(config) ? config : {};
  const name = pushConfigName(textOf(taskId), textOf(id));
  return { ...rest, name, ...(config !== undefined && { pushNotificationConfig: config }) };
});

/** Adds the empty list that ProtoJSON leaves out. */
const authenticationIn = only((authentication) => ({ schemes: [], ...authentication }));
/** A configuration without the task that it belongs to, as messages have it. */
export const pushConfigIn = only((config) => translateFields(config, { authentication: authenticationIn }));

export const configIn = only((value) => {
  const { name, ...rest } = translateFields(value, { pushNotificationConfig: pushConfigIn });
  const ids = pushConfigIdsOf(name);
  if (!ids) return name === undefined ? rest : { ...rest, name };
  const config = rest["pushNotificationConfig"];
  const named = isJsonObject(config) && ids.id !== "" ? { id: ids.id, ...config } : config;
  return { taskId: ids.taskId, ...rest, ...(named !== undefined && { pushNotificationConfig: named }) };
});

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const skillOut = (skill: JsonObject): JsonObject => translateFields(skill, { security: requirementsUp });
const skillIn = (skill: JsonObject): JsonObject => translateFields(skill, { security: requirementsIn });

export const cardOut = only((card) =>
  translateFields(card, { securitySchemes: schemesUp, security: requirementsUp, skills: each(skillOut) }),
);
/** Keeps schemes that name their type: they are in the form of the JSON schema. */
export const cardIn = only((card) =>
  translateFields(card, { securitySchemes: schemesDown, security: requirementsIn, skills: each(skillIn) }),
);

const requirementsIn: typeof requirementsDown = (requirements, translation) => {
  const entries = Array.isArray(requirements) ? requirements.filter(isJsonObject) : [];
  const wrapped = entries.filter(({ schemes }) => isJsonObject(schemes));
  const bare = entries.filter((entry) => Object.keys(entry).length > 0).length > wrapped.length;
  return wrapped.length > 0 && !bare ? requirementsDown(requirements, translation) : requirements;
};
