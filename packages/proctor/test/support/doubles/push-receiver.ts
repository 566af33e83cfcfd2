// A push receiver on a real socket for each test, and a sender for it.
import type { Json } from "../../../src/core/json.ts";
import type { PushScript } from "../../../src/core/push-script.ts";
import {
  openPushReceiver,
  type PushReceiver,
  type PushReceiverOptions,
} from "../../../src/doubles/labs/push/open-push-receiver.ts";
import { afterEveryTest } from "../closing.ts";
import { createManualClock, type ManualClock } from "../manual-clock.ts";

export interface StartedPush extends PushReceiver {
  clock: ManualClock;
  /** Delivers a body; resolves to the answer. */
  send(body: Json, headers?: Record<string, string>, path?: string): Promise<Response>;
}

const open: PushReceiver[] = [];

afterEveryTest(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()));
});

export async function startPush(
  script: PushScript = {},
  options: Partial<PushReceiverOptions> = {},
): Promise<StartedPush> {
  const clock = createManualClock();
  const receiver = await openPushReceiver({ host: "127.0.0.1", port: 0, clock, ...options, script });
  open.push(receiver);
  return {
    ...receiver,
    clock,
    send: (body, headers = {}, path = "/hook") =>
      fetch(`${receiver.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
        redirect: "manual",
      }),
  };
}

export function task03(state: string, id = "t"): Json {
  return { kind: "task", id, contextId: "c", status: { state } };
}

export function webhook(seq: number, id = `run:${seq}`): Json {
  return { id, type: "step.completed", task_id: "run", data: {}, timestamp: "2026-01-01T00:00:00Z", seq };
}
