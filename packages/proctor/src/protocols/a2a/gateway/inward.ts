// What a client asks, as the agent is asked: with the agent's ids, and with the bytes of the artifacts that it refers to. Unknown fields pass
// as they came.
import { uuidV7 } from "../../../core/id.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { A2aError } from "../errors.ts";
import type { A2aMessage, SendRequest } from "../model.ts";
import type { IdMap } from "./id-map.ts";
import { resolveReferences, type ResolveDeps } from "./resolve-references.ts";

export interface InwardDeps extends ResolveDeps {
  app: string;
  ids: IdMap;
  clock: Clock;
}

export interface Inward {
  request: SendRequest;
  /** The client's id of the context: a new one where the client named none. */
  context: string;
  isNamed: boolean;
}

/** Throws TASK_NOT_FOUND, INVALID_PARAMS and PUSH_NOTIFICATION_NOT_SUPPORTED; then nothing must be sent. */
export async function inward(request: SendRequest, user: string, deps: InwardDeps): Promise<Inward> {
  const { message, configuration } = request;
  if (configuration?.taskPushNotificationConfig !== undefined) throw noPush();
  const { ids, app, clock } = deps;
  const task = message.taskId === undefined ? undefined : await ids.task(user, message.taskId);
  if (task && message.contextId !== undefined && message.contextId !== task.context) {
    const description = "the task belongs to another context";
    throw new A2aError("INVALID_PARAMS", `message.contextId does not fit message.taskId: ${description}`, {
      fields: [{ field: "message.contextId", description }],
    });
  }
  const named = message.contextId ?? task?.context;
  const context = named ?? uuidV7(clock.now());
  // The agent names a context that it does not know yet.
  const innerContext = named === undefined ? undefined : await ids.innerContext(user, context);
  const resolved = await resolveReferences(message, { app, user, session: context }, deps);
  const { contextId: _, taskId: __, referenceTaskIds, ...rest } = resolved;
  const sent: A2aMessage = {
    ...rest,
    ...(innerContext !== undefined && { contextId: innerContext }),
    ...(task && { taskId: task.inner }),
    ...(referenceTaskIds && { referenceTaskIds: await innerTasks(referenceTaskIds, user, ids) }),
  };
  return { request: { ...request, message: sent }, context, isNamed: named !== undefined };
}

export function noPush(): A2aError {
  return new A2aError(
    "PUSH_NOTIFICATION_NOT_SUPPORTED",
    "the gateway passes no push notifications on; its card says so",
  );
}

async function innerTasks(outer: readonly string[], user: string, ids: IdMap): Promise<string[]> {
  const found: string[] = [];
  for (const id of outer) found.push((await ids.task(user, id)).inner);
  return found;
}
