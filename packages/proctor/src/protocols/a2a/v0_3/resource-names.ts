// The names of resources in version 0.3: `tasks/{id}` and `tasks/{id}/pushNotificationConfigs/{id}`.

const TASK = /^tasks\/(.+)$/s;
/** The configuration's id is empty where the server is to choose one. */
const PUSH_CONFIG = /^tasks\/(.+)\/pushNotificationConfigs\/(.*)$/s;

export function taskName(taskId: string): string {
  return `tasks/${taskId}`;
}

/** Returns undefined where it is not such a name. */
export function taskIdOf(name: unknown): string | undefined {
  return typeof name === "string" ? TASK.exec(name)?.[1] : undefined;
}

export function pushConfigName(taskId: string, id: string): string {
  return `${taskName(taskId)}/pushNotificationConfigs/${id}`;
}

/** Returns undefined where it is not such a name. */
export function pushConfigIdsOf(name: unknown): { taskId: string; id: string } | undefined {
  if (typeof name !== "string") return undefined;
  const [, taskId, id] = PUSH_CONFIG.exec(name) ?? [];
  return taskId !== undefined && id !== undefined ? { taskId, id } : undefined;
}
