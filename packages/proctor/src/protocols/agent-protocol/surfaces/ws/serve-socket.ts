// One client on /ws: what it subscribes to, and what it receives. Frames are sent in order, each event once.
import { createHangUp } from "../../../../channels/websocket/hang-up.ts";
import { ProctorError } from "../../../../core/errors.ts";
import type { Hub } from "../../../../core/ports/hub.ts";
import type { MessageSocket } from "../../../../core/ports/message-socket.ts";
import { taskError } from "../../errors.ts";
import { ALL_TASKS, readClientFrame, type ClientFrame } from "./client-frame.ts";
import type { FrameListener } from "./feed.ts";
import type { Feeds } from "./feeds.ts";
import { createOutbox } from "./outbox.ts";
import { encodeServerFrame, errorFrame } from "./server-frame.ts";
import { createSubscription, type Subscription } from "./subscription.ts";

interface SocketDeps {
  hub: Hub;
  feeds: Feeds;
  stopping: AbortSignal;
  limits: SocketLimits;
}

export interface SocketLimits {
  maxSubscriptions: number;
  /** Malformed frames that a socket may send before it is closed. */
  maxMalformed: number;
  /** Characters that may wait for a slow reader. */
  maxWaitingChars: number;
}

export const DEFAULT_LIMITS: SocketLimits = {
  maxSubscriptions: 1000,
  maxMalformed: 20,
  maxWaitingChars: 1024 * 1024,
};

/** The close code for a reader that does not keep up. It comes back with the last `seq` it saw. */
export const TOO_SLOW = 4008;

/** Serves until the socket is closed. Throws the hub's failure. */
export async function serveSocket(socket: MessageSocket, deps: SocketDeps): Promise<void> {
  const { hub, feeds, stopping, limits } = deps;
  const line = createHangUp(socket, stopping);
  const subscriptions = new Map<string, Subscription>();
  const outbox = createOutbox(socket, {
    maxWaitingChars: limits.maxWaitingChars,
    onSlow: () => line.hangUp(TOO_SLOW, "too slow: subscribe again with since"),
  });
  let leaveAll: (() => void) | undefined;
  let malformed = 0;

  /** A task that the client also named is sent by its own subscription. */
  const sendAny: FrameListener = ({ taskId, text }) => {
    if (!subscriptions.has(taskId)) outbox.post(text);
  };

  function refuse(message: string): void {
    malformed += 1;
    outbox.post(errorFrame("INVALID_REQUEST", message));
    if (malformed >= limits.maxMalformed) line.hangUp(1008, `${malformed} frames were malformed`);
  }

  async function subscribe(task: string, since: number | undefined): Promise<void> {
    const confirm = (seq?: number): void =>
      outbox.post(
        encodeServerFrame({
          type: "subscribed",
          agentId: task,
          task_id: task,
          ...(seq !== undefined && { seq }),
        }),
      );
    if (task === ALL_TASKS) {
      confirm();
      leaveAll ??= feeds.joinAll(sendAny);
      return;
    }
    const before = subscriptions.get(task);
    if (before === undefined && subscriptions.size >= limits.maxSubscriptions) {
      const message = `a socket takes at most ${limits.maxSubscriptions} subscriptions\nsubscribe to "*", or open another`;
      outbox.post(errorFrame("INVALID_REQUEST", message, task));
      return;
    }
    const held = await feeds.open(task);
    // The client may know an event from elsewhere that this feed has yet to read.
    if (since !== undefined && since > held.feed.position().seq)
      await held.feed.settled().catch(() => undefined);
    const onFailure = (problem: unknown): void => lose(task, problem);
    subscriptions.set(task, createSubscription({ held, hub, since, outbox, confirm, onFailure }));
    // A second subscription begins where it asks to, in place of the first.
    before?.close();
  }

  /** Ends a subscription that cannot go on. */
  function lose(task: string, problem: unknown): void {
    subscriptions.get(task)?.close();
    subscriptions.delete(task);
    if (ProctorError.is(problem)) outbox.post(refusal(problem, task));
    else line.fail(problem);
  }

  function unsubscribe(task: string): void {
    if (task === ALL_TASKS) {
      leaveAll?.();
      leaveAll = undefined;
    }
    subscriptions.get(task)?.close();
    subscriptions.delete(task);
    outbox.post(encodeServerFrame({ type: "unsubscribed", agentId: task, task_id: task }));
  }

  async function handle(frame: ClientFrame): Promise<void> {
    switch (frame.kind) {
      case "malformed":
        return refuse(frame.message);
      case "ping":
        return outbox.post(encodeServerFrame({ type: "pong" }));
      case "pong":
        return;
      case "unsubscribe":
        return unsubscribe(frame.task);
      case "subscribe":
        try {
          await subscribe(frame.task, frame.since);
        } catch (problem) {
          if (!ProctorError.is(problem)) throw problem;
          outbox.post(refusal(problem, frame.task));
        }
    }
  }

  if (!line.over) outbox.post(encodeServerFrame({ type: "connected" }));
  try {
    for await (const text of socket.messages) {
      if (line.over) break;
      await handle(readClientFrame(text));
      // A client that asks and does not read is not read any further.
      await outbox.room();
    }
    await socket.closed;
  } finally {
    line.release();
    leaveAll?.();
    for (const subscription of subscriptions.values()) subscription.close();
    outbox.close();
  }
  line.throwFailure();
}

/** Returns the error in the words of tasks, because clients of this surface know no runs. */
function refusal(error: ProctorError, task: string): string {
  const { code, message } = taskError(error);
  return errorFrame(code, message, task);
}
