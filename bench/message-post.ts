// Sending an envelope, on disk before the answer.
import { measureDurablePost } from "./durable-post.ts";
import type { Result } from "./measure.ts";
import { postEnvelope } from "./message-load.ts";

/** Number of receivers, large enough that no inbox is full at the end. */
const RECEIVERS = 100;

export function bench(): Promise<Result> {
  return measureDurablePost({
    name: "message-post",
    what: "POST /messages durable (synchronous=FULL) / raw node:http POST, 32 connections of a node:http client",
    bound: { atLeast: 0.4 },
    post: (port, agent, left) => postEnvelope(port, agent, `user:${left % RECEIVERS}`),
  });
}
