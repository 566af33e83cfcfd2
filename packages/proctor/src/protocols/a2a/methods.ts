// The names of the operations in JSON-RPC, by version: specification 1.0, section 5.3, and 0.3, section 3.5.6.
import type { A2aOperation, A2aVersion } from "./service.ts";

type Methods = Partial<Record<A2aOperation, string>>;

/** Version 0.3 has no way to list tasks. The public card is no method in either. */
export const METHODS: Readonly<Record<A2aVersion, Methods>> = {
  "1.0": {
    send: "SendMessage",
    stream: "SendStreamingMessage",
    getTask: "GetTask",
    listTasks: "ListTasks",
    cancelTask: "CancelTask",
    subscribe: "SubscribeToTask",
    createPushConfig: "CreateTaskPushNotificationConfig",
    getPushConfig: "GetTaskPushNotificationConfig",
    listPushConfigs: "ListTaskPushNotificationConfigs",
    deletePushConfig: "DeleteTaskPushNotificationConfig",
    extendedCard: "GetExtendedAgentCard",
  },
  "0.3": {
    send: "message/send",
    stream: "message/stream",
    getTask: "tasks/get",
    cancelTask: "tasks/cancel",
    subscribe: "tasks/resubscribe",
    createPushConfig: "tasks/pushNotificationConfig/set",
    getPushConfig: "tasks/pushNotificationConfig/get",
    listPushConfigs: "tasks/pushNotificationConfig/list",
    deletePushConfig: "tasks/pushNotificationConfig/delete",
    extendedCard: "agent/getAuthenticatedExtendedCard",
  },
};

/** Returns the operation and the version that a method's name stands for; undefined when the name is unknown. */
export function operationOf(method: string): { operation: A2aOperation; version: A2aVersion } | undefined {
  return BY_METHOD.get(method);
}

const BY_METHOD = new Map(
  (Object.entries(METHODS) as [A2aVersion, Methods][]).flatMap(([version, methods]) =>
    (Object.entries(methods) as [A2aOperation, string][]).map(
      ([operation, method]) => [method, { operation, version }] as const,
    ),
  ),
);
