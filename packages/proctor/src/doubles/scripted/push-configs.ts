// The receivers of push notifications that clients register for a task: specification 1.0, section 3.1.7 to 3.1.10.
import { uuidV7 } from "../../core/id.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";
import type { ListPushConfigsResult, PushConfig } from "../../protocols/a2a/model.ts";
import type { A2aVersion } from "../../protocols/a2a/service.ts";
import type { ScriptedTask } from "./scripted-task.ts";

const MAX_CONFIGS = 100;

/** Adds a config, or replaces the one with the same id. In 0.3, a config without an id gets the id of the task. Throws A2aError. */
export function addPushConfig(task: ScriptedTask, config: PushConfig, version: A2aVersion): PushConfig {
  if (!URL.canParse(config.url) || !/^https?:$/.test(new URL(config.url).protocol)) {
    throw new A2aError("INVALID_PARAMS", "url must be an address over HTTP", {
      fields: [{ field: "url", description: "must be an address over HTTP" }],
    });
  }
  const id = config.id || (version === "0.3" ? task.id : uuidV7());
  if (!task.pushConfigs.has(id) && task.pushConfigs.size >= MAX_CONFIGS) {
    throw new A2aError("RESOURCE_EXHAUSTED", `the task has ${MAX_CONFIGS} push configurations already`);
  }
  const added = { ...config, id, taskId: task.id };
  task.pushConfigs.set(id, added);
  return added;
}

export function findPushConfig({ pushConfigs }: ScriptedTask, id: string): PushConfig {
  const config = pushConfigs.get(id);
  if (config === undefined) throw new A2aError("TASK_NOT_FOUND", "the task has no such push configuration");
  return config;
}

export function listPushConfigs({ pushConfigs }: ScriptedTask): ListPushConfigsResult {
  return { configs: [...pushConfigs.values()], nextPageToken: "" };
}
