// Push notification configurations of tasks: specification 1.0, sections 3.1.7 to 3.1.10. The hub's webhooks keep them and send to them.
import { uuidV7 } from "../../../core/id.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import type { Receiver, Receivers } from "../../../core/ports/receivers.ts";
import { A2aError } from "../errors.ts";
import type { ListPushConfigsResult, PushConfig } from "../model.ts";
import { A2A_VERSIONS, type A2aCall, type A2aVersion } from "../service.ts";
import type { FoundTask } from "./find-task.ts";
import { wrong } from "./messages.ts";
import { placeOf } from "./place.ts";

/** Id of the protocol, under which receivers are kept. */
const PROTOCOL = "a2a";

/** Configuration that is kept with a receiver. */
export interface KeptConfig extends JsonObject {
  /** Version in whose form notifications are written. */
  version: A2aVersion;
  /** URL of the hub as the client reached it, for addresses in notifications. */
  hub_url: string;
  config: PushConfig;
}

export interface PushConfigs {
  /** `after` is the last sequence of the task's log that is skipped; -1 to send all that happened. */
  create(task: FoundTask, config: PushConfig, call: A2aCall, after: number): Promise<PushConfig>;
  /** Throws TASK_NOT_FOUND for an unknown configuration. */
  get(task: FoundTask, id: string): Promise<PushConfig>;
  list(task: FoundTask): Promise<ListPushConfigsResult>;
  remove(task: FoundTask, id: string): Promise<void>;
}

export function createPushConfigs(receivers: Receivers): PushConfigs {
  return {
    async create({ id: taskId, last }, given, call, after) {
      // Clients of 0.3 find a configuration without an id by the task's.
      const id = given.id || (call.version === "0.3" ? taskId : uuidV7());
      const config: PushConfig = { ...given, id, taskId };
      checkAuthentication(config);
      const kept: KeptConfig = { version: call.version, hub_url: placeOf(call).hubUrl, config };
      await receivers.add({
        run_id: taskId,
        id,
        url: given.url,
        protocol: PROTOCOL,
        config: kept,
        // The log of a failed attempt has been sent to its end already.
        after: last.id === taskId ? after : Number.MAX_SAFE_INTEGER,
      });
      return config;
    },
    async get({ id: taskId }, id) {
      const found = (await receivers.list(taskId)).find((each) => each.id === id);
      const kept = found && keptConfig(found);
      if (kept) return kept.config;
      throw new A2aError("TASK_NOT_FOUND", `task ${taskId} has no such push notification configuration`, {
        metadata: { taskId },
      });
    },
    async list({ id: taskId }) {
      const all = await receivers.list(taskId);
      return { configs: all.flatMap((each) => keptConfig(each)?.config ?? []), nextPageToken: "" };
    },
    remove: ({ id: taskId }, id) => receivers.remove(taskId, id),
  };
}

/** Returns undefined for a receiver of another protocol. */
export function keptConfig({ protocol, config: kept }: Receiver): KeptConfig | undefined {
  const { version: named, hub_url: hubUrl, config } = kept;
  const version = A2A_VERSIONS.find((each) => each === named);
  if (protocol !== PROTOCOL || version === undefined || typeof hubUrl !== "string" || !isJsonObject(config))
    return undefined;
  // Only `create` writes it.
  return { version, hub_url: hubUrl, config: config as PushConfig };
}

/** Throws for a value that could end its header. */
function checkAuthentication({ authentication, token }: PushConfig): void {
  if (token !== undefined && !isHeaderText(token)) throw wrong("token", "must be printable ASCII");
  if (authentication === undefined) return;
  const { scheme, credentials } = authentication;
  if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(scheme))
    throw wrong("authentication.scheme", "must be the name of an HTTP authentication scheme, as Bearer");
  if (credentials !== undefined && !isHeaderText(credentials))
    throw wrong("authentication.credentials", "must be printable ASCII");
}

function isHeaderText(text: string): boolean {
  return text.length <= 8192 && /^[\x20-\x7e]*$/.test(text);
}
