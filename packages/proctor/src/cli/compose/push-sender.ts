// Push notifications of a scripted agent: to receivers on this machine alone, in order, each tried once more where it fails. Body and headers
// are those of the version that the client speaks: specification 1.0, section 4.3.3, and 0.3, section 9.5.
import type { JsonObject } from "../../core/json.ts";
import type { Codecs } from "../../doubles/scripted/complete-event.ts";
import type { Notify } from "../../doubles/scripted/turn-player.ts";
import { isLoopback } from "../../runtime/addresses/is-loopback.ts";
import { createPost } from "../../webhooks/post.ts";

const TIMEOUT_MS = 30_000;
/** Number of notifications that may wait for one receiver; later ones are dropped. */
const MAX_WAITING = 1000;

export function createPushSender(codecs: Codecs, signal: AbortSignal): Notify {
  const post = createPost({
    allow: ({ hostname }) => isLoopback(hostname.toLowerCase()),
    timeoutMs: TIMEOUT_MS,
  });
  const queues = new Map<string, { last: Promise<void>; waiting: number }>();

  return ({ config, event, task, version }) => {
    const { id = "", taskId = "", url, token, authentication } = config;
    const key = `${taskId} ${id}`;
    const queue = queues.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= MAX_WAITING) return;
    const document: unknown =
      version === "1.0" ? codecs["1.0"].encodeFrame(event) : codecs["0.3"].encodeResult("getTask", task);
    const headers: Record<string, string> = {
      "content-type": version === "1.0" ? "application/a2a+json" : "application/json",
      ...(token !== undefined && { "x-a2a-notification-token": token }),
      ...authorization(authentication),
    };
    const body = JSON.stringify(document);
    const send = async (): Promise<void> => {
      const outcome = await post(url, body, headers, signal);
      if (typeof outcome === "object" && !signal.aborted) await post(url, body, headers, signal);
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(key);
    };
    queue.waiting += 1;
    queue.last = queue.last.then(send);
    queues.set(key, queue);
  };
}

function authorization(
  authentication: (JsonObject & { scheme: string; credentials?: string }) | undefined,
): Record<string, string> {
  if (authentication?.credentials === undefined) return {};
  return { authorization: `${authentication.scheme} ${authentication.credentials}` };
}
