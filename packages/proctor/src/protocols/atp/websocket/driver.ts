// Drives an ATP agent over WebSocket. Runs of one agent share a socket (links.ts); what its messages mean is dialogue.ts.
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../../core/ports/driver.ts";
import { SocketConnectError } from "../../../channels/websocket/connect-error.ts";
import { traceparentOf } from "../../../runtime/span-ids.ts";
import { encodeRequest } from "../codec.ts";
import { tapped, type WireTap } from "../../wire-tap.ts";
import { createDialogue, type Dialogue } from "../dialogue.ts";
import type { Link, LinkTask } from "./link.ts";
import { createLinks, type Links } from "./links.ts";
import { SUBPROTOCOL } from "./subprotocol.ts";
import { notAnswered, notConnected } from "./silence.ts";

/** `links` opens the sockets; those on the network when absent. */
export function createWebSocketDriver({ links = createLinks() }: { links?: Links } = {}): AgentDriver {
  return {
    open: (job, signals) => tapped(job, (tap) => converse(job, signals, links, tap)),
  };
}

async function* converse(
  job: Job,
  signals: StopSignals,
  links: Links,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const dialogue = createDialogue(job);
  let begun: Begun;
  try {
    begun = await begin(job, signals, links, tap);
  } catch (error) {
    if (!(error instanceof SocketConnectError)) throw error;
    if (tap) noteNotConnected(error, tap);
    yield* dialogue.conclude(notConnected(error, job.spec.url ?? ""));
    return;
  }
  const { link, task } = begun;
  const ask = (): void => {
    tap?.sent("close", "", { name: "cancel" });
    task.cancel();
  };
  const insist = (): void => {
    tap?.sent("close", "", { name: "kill" });
    task.stop();
  };
  signals.cancel.addEventListener("abort", ask);
  signals.kill.addEventListener("abort", insist);
  if (signals.cancel.aborted) ask();
  if (signals.kill.aborted) insist();
  tap?.received("head", "", link.shared ? { name: SUBPROTOCOL } : {});
  try {
    if (!link.shared) yield* dialogue.object(NO_SUBPROTOCOL);
    yield* listen(task, dialogue, tap);
    if (tap) noteEnd(task, tap);
    if (task.strays > 0) yield* dialogue.object(strayMessages(task.strays));
    // The socket is free before the run's end is recorded.
    task.leave(dialogue.finished);
    yield* dialogue.conclude(notAnswered(task.socketEnd));
  } finally {
    signals.cancel.removeEventListener("abort", ask);
    signals.kill.removeEventListener("abort", insist);
    task.leave(dialogue.finished);
  }
}

interface Begun {
  link: Link;
  task: LinkTask;
}

/** Sends the request once. Only where the socket had closed before it could be sent, another is tried. */
async function begin(
  job: Job,
  { cancel, kill }: StopSignals,
  links: Links,
  tap: WireTap | undefined,
): Promise<Begun> {
  const { metadata, ...rest } = encodeRequest(job);
  // Runs share the socket, so its headers cannot belong to the trace of one of them.
  const request = JSON.stringify({ ...rest, metadata: { ...metadata, traceparent: traceparentOf(job) } });
  const signal = AbortSignal.any([cancel, kill]);
  tap?.sent("frame", request);
  for (let attempt = 0; attempt < 2; attempt++) {
    const link = await links.lease(job.spec, signal);
    const task = await link.begin(job.runId, request);
    if (task) return { link, task };
  }
  throw new SocketConnectError("unreachable", "the agent closes its connections at once");
}

async function* listen(
  task: LinkTask,
  dialogue: Dialogue,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  for (let texts = await task.take(); texts !== undefined; texts = await task.take()) {
    for (const text of texts) {
      tap?.received("frame", text);
      yield* dialogue.hear(text);
      if (dialogue.finished) return;
    }
  }
}

function noteNotConnected({ kind, message, code, status }: SocketConnectError, tap: WireTap): void {
  tap.received("close", message, {
    name: kind,
    ...(code !== undefined && { id: code }),
    ...(status !== undefined && { status }),
  });
}

function noteEnd({ strays, socketEnd }: LinkTask, tap: WireTap): void {
  if (strays > 0) tap.received("strays", String(strays));
  if (socketEnd === undefined) return;
  const { code, reason, fault } = socketEnd;
  tap.received("close", reason, { name: "closed", status: code, ...(fault !== undefined && { id: fault }) });
}

const NO_SUBPROTOCOL = {
  rule: "atp.websocket.subprotocol",
  message: "the agent does not agree on the subprotocol atp.v1",
};

function strayMessages(count: number) {
  const message = "a message on the shared socket belongs to no task in flight and was dropped";
  return { rule: "atp.task_id", message, ...(count > 1 && { repeated: count - 1 }) };
}
