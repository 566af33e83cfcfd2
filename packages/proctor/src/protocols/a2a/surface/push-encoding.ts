// What push notifications say: in 1.0 the events of a stream, in 0.3 the whole task; texts only when they are whole. Specification 1.0,
// section 4.3.3, and 0.3, section 9.5.
import type { Json } from "../../../core/json.ts";
import type { Receiver } from "../../../core/ports/receivers.ts";
import type {
  WebhookEncoding,
  WebhookEvent,
  WebhookReading,
  WebhookRequest,
} from "../../../core/ports/webhook-encoding.ts";
import { codecOf } from "../codecs.ts";
import { keptConfig, type KeptConfig } from "./push-configs.ts";
import { viewOf } from "./read-task.ts";
import { changeEvent, taskDocument } from "./task-document.ts";
import { createTaskFold, type Change, type TaskFold } from "./task-fold.ts";

/** `body` is the notification. */
interface PushEvent extends WebhookEvent {
  body: Json;
}

export const pushEncoding: WebhookEncoding = {
  names: ["*"],
  defaultNames: ["*"],
  open(reading) {
    const { receiver, runId } = reading;
    const kept = receiver && keptConfig(receiver);
    if (receiver === undefined || kept === undefined) return () => [];
    const fold = createTaskFold(runId, { pieces: false });
    return async (event) => {
      const change = fold.add(event);
      if (change === undefined) return [];
      const body = await bodyOf(change, fold, kept, reading, receiver.run_id);
      // Each attempt has a log of its own; the number only says how far this one was sent.
      return [{ type: change.kind, task_id: runId, seq: change.sequence, body } satisfies PushEvent];
    };
  },
  request,
};

async function bodyOf(
  change: Change,
  fold: TaskFold,
  { version, hub_url: hubUrl }: KeptConfig,
  { hub }: WebhookReading,
  taskId: string,
): Promise<Json> {
  const options = { hub, place: { hubUrl } };
  const codec = codecOf(version);
  if (version === "1.0") return codec.encodeFrame(await changeEvent(change, taskId, options));
  return codec.encodeResult(
    "getTask",
    await taskDocument(viewOf(taskId, { messages: [], history: [] }, fold), options),
  );
}

function request(event: WebhookEvent, receiver: Receiver): WebhookRequest {
  const kept = keptConfig(receiver);
  const { token, authentication } = kept?.config ?? {};
  const { scheme, credentials } = authentication ?? {};
  return {
    body: JSON.stringify(event["body"]),
    headers: {
      "content-type": kept?.version === "0.3" ? "application/json" : "application/a2a+json",
      ...(token !== undefined && token !== "" && { "x-a2a-notification-token": token }),
      ...(scheme !== undefined && { authorization: [scheme, credentials].filter(Boolean).join(" ") }),
    },
    ...(token !== undefined && token !== "" && { secret: token }),
  };
}
