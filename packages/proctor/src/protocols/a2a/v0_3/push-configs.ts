// Push configurations: nested in 0.3, with several schemes; flat in 1.0, with one.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { legacyOf, withLegacy } from "../legacy.ts";
import { leaveOut, only, split, translateFields, type Translation } from "../translating.ts";

/** Names that the flat configuration of 1.0 has in addition to those of 0.3. */
const CLAIMED = ["tenant", "taskId"];

/** Returns undefined without a scheme, which 1.0 requires. */
function authenticationUp(authentication: Json | undefined): JsonObject | undefined {
  const { schemes, ...rest } = isJsonObject(authentication) ? authentication : {};
  const given = Array.isArray(schemes) ? schemes : [];
  const [scheme] = given;
  if (scheme === undefined || scheme === "") return undefined;
  const [fields, open] = split(rest, ["scheme"]);
  return withLegacy(
    { scheme, ...open },
    { fields: { ...fields, ...(given.length > 1 && { schemes: given }) } },
  );
}

const authenticationDown = only((authentication, translation) => {
  const { scheme, ...rest } = authentication;
  const { schemes: several, ...fields } = legacyOf(authentication).fields ?? {};
  const kept = Array.isArray(several) && several[0] === scheme ? several : undefined;
  const open = leaveOut(rest, ["schemes"], translation, "has another meaning in A2A 0.3, and is left out");
  return { schemes: kept ?? (scheme === undefined ? [] : [scheme]), ...open, ...fields };
});

/** Returns a configuration by itself, as it comes with a message. */
export function pushConfigUp(config: JsonObject): JsonObject {
  const { authentication, ...rest } = config;
  const [fields, open] = split(rest, CLAIMED);
  const up = authenticationUp(authentication);
  const unsaid = authentication !== undefined && up === undefined && { authentication };
  return withLegacy({ ...open, ...(up && { authentication: up }) }, { fields: { ...fields, ...unsaid } });
}

export function pushConfigDown(config: JsonObject, translation: Translation): JsonObject {
  return {
    ...pushFieldsDown(leaveOut(config, CLAIMED, translation), translation),
    ...legacyOf(config).fields,
  };
}

function pushFieldsDown(config: JsonObject, translation: Translation): JsonObject {
  return translateFields(config, { authentication: authenticationDown }, translation);
}

/** Returns a configuration of a task: `{taskId, pushNotificationConfig}`. */
export function taskPushConfigUp(value: JsonObject): JsonObject {
  const { taskId, pushNotificationConfig: inner, ...outer } = value;
  if (!isJsonObject(inner)) return value;
  const config = pushConfigUp(inner);
  const { fields = {} } = legacyOf(config);
  const more = Object.keys(outer).length > 0 && { outer };
  return withLegacy({ ...config, taskId }, { fields: { ...fields, ...more } });
}

export function taskPushConfigDown(config: JsonObject, translation: Translation): JsonObject {
  const { taskId, ...inner } = config;
  const { outer, ...fields } = legacyOf(config).fields ?? {};
  const down = pushFieldsDown(leaveOut(inner, ["tenant"], translation), translation);
  return { ...(isJsonObject(outer) && outer), taskId, pushNotificationConfig: { ...down, ...fields } };
}

/** Returns how a configuration is named: by the task's `id` and the configuration's in 0.3, where the latter may be missing. */
export function configRequestUp(request: JsonObject): JsonObject {
  const { id: taskId, pushNotificationConfigId, ...rest } = request;
  const [fields, open] = split(rest, CLAIMED);
  const unnamed: JsonObject = pushNotificationConfigId === undefined ? { id: "of the task" } : {};
  // Agents of 0.3 give the task's id to a configuration that has none.
  return withLegacy({ taskId, id: pushNotificationConfigId ?? taskId, ...open }, { fields, form: unnamed });
}

export function configRequestDown(request: JsonObject, translation: Translation): JsonObject {
  const { taskId, id, ...rest } = request;
  const { fields, form } = legacyOf(request);
  const unnamed = form?.["id"] === "of the task" && id === taskId;
  const open = leaveOut(rest, ["tenant", "pushNotificationConfigId"], translation);
  return { id: taskId, ...(!unnamed && { pushNotificationConfigId: id }), ...open, ...fields };
}

/** Returns all configurations of a task: a list in 0.3, pages in 1.0. */
export function configListUp(list: Json): JsonObject {
  const configs = Array.isArray(list) ? list : [];
  return {
    configs: configs.map((config) => (isJsonObject(config) ? taskPushConfigUp(config) : config)),
  };
}

export function configListDown({ configs, ...rest }: JsonObject, translation: Translation): Json[] {
  const { nextPageToken, ...more } = rest;
  leaveOut({ ...more, ...(nextPageToken !== "" && { nextPageToken }) }, Object.keys(rest), translation);
  if (!Array.isArray(configs)) return [];
  translation.enter("configs");
  const down = configs.map((config, index) => {
    translation.enter(index);
    const result = isJsonObject(config) ? taskPushConfigDown(config, translation) : config;
    translation.leave();
    return result;
  });
  translation.leave();
  return down;
}
