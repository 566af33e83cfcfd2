// The calls of A2A's gRPC services, by operation: specification 1.0, section 10.3, and 0.3, section 3.5.6.
import type { DescMethod } from "@bufbuild/protobuf";
import type { A2aOperation, A2aVersion } from "../service.ts";
import { A2AService as Service03 } from "./gen/a2a/v1/a2a_pb.ts";
import { A2AService as Service1 } from "./gen/lf/a2a/v1/a2a_pb.ts";

type Methods = Readonly<Partial<Record<A2aOperation, DescMethod>>>;

/** The public card is found by its address, not by a method. */
const METHODS_1_0: Methods = {
  send: Service1.method.sendMessage,
  stream: Service1.method.sendStreamingMessage,
  getTask: Service1.method.getTask,
  listTasks: Service1.method.listTasks,
  cancelTask: Service1.method.cancelTask,
  subscribe: Service1.method.subscribeToTask,
  createPushConfig: Service1.method.createTaskPushNotificationConfig,
  getPushConfig: Service1.method.getTaskPushNotificationConfig,
  listPushConfigs: Service1.method.listTaskPushNotificationConfigs,
  deletePushConfig: Service1.method.deleteTaskPushNotificationConfig,
  extendedCard: Service1.method.getExtendedAgentCard,
};

/** Version 0.3 has no way to list tasks. */
export const METHODS_0_3: Methods = {
  send: Service03.method.sendMessage,
  stream: Service03.method.sendStreamingMessage,
  getTask: Service03.method.getTask,
  cancelTask: Service03.method.cancelTask,
  subscribe: Service03.method.taskSubscription,
  createPushConfig: Service03.method.createTaskPushNotificationConfig,
  getPushConfig: Service03.method.getTaskPushNotificationConfig,
  listPushConfigs: Service03.method.listTaskPushNotificationConfig,
  deletePushConfig: Service03.method.deleteTaskPushNotificationConfig,
  extendedCard: Service03.method.getAgentCard,
};

export const GRPC_METHODS: Readonly<Record<A2aVersion, Methods>> = { "1.0": METHODS_1_0, "0.3": METHODS_0_3 };
