// What a driver learns of the conversation that its run belongs to.
import { failure, type Failure } from "../core/failure.ts";
import type { Json } from "../core/json.ts";
import type { Job } from "../core/ports/driver.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Message } from "../core/message.ts";
import type { RunStore } from "../core/ports/run-store.ts";
import { decodeRecord, type ClaimedRun } from "../core/ports/store.ts";
import type { Run } from "../core/run.ts";
import { readHistory } from "./read-talk.ts";

/** A continuation with the agent that it belongs to. */
interface SealedContinuation {
  agent: string;
  continuation: Json;
}

/** Resolves with the message that the run, or the first of its attempts, was submitted with. */
async function firstMessage(store: RunStore, run: Run): Promise<Message | undefined> {
  let first: Run | undefined = run;
  while (first?.retry_of != null) first = await store.readRun(first.retry_of);
  const [record] = first === undefined ? [] : await store.readEvents(first.id, 0, 1);
  if (record?.type !== "message.added") return undefined;
  const event = decodeRecord(record);
  return event.type === "message.added" ? event.payload.message : undefined;
}

export type JobConversation = Pick<Job, "conversation" | "resume" | "message">;

/** Resolves with nothing for a run that neither follows another nor continues after it was parked. */
export async function conversationOf(
  deps: { store: RunStore; sealer: Sealer },
  { run, talk, continuation }: ClaimedRun,
): Promise<JobConversation | Failure> {
  const maySay = talk !== undefined || run.retry_of !== null;
  const said = maySay ? await firstMessage(deps.store, run) : undefined;
  const message = said === undefined ? {} : { message: said };
  if (run.follows === null && continuation === null && run.conversation_id === run.id) return message;
  const sealed = continuation ?? (await followed(deps.store, run.follows));
  const opened = sealed === null ? undefined : open(sealed, deps.sealer);
  if (sealed !== null && opened === undefined) {
    return failure("SECRETS_LOST", "the way to go on with the conversation was sealed with another key");
  }
  const goesOn = continuation !== null || talk?.parked === true;
  return {
    ...message,
    conversation: {
      id: run.conversation_id,
      history: () => readHistory(deps.store, run),
      // A continuation of another agent is not passed on.
      ...(opened?.agent === run.agent && { continuation: opened.continuation }),
    },
    ...(goesOn && {
      resume: { pending: talk?.undelivered.length ?? 0, ...(talk?.cancel !== undefined && { cancel: true }) },
    }),
  };
}

async function followed(store: RunStore, runId: string | null): Promise<string | null> {
  return runId === null ? null : ((await store.readSecrets(runId))?.continuation ?? null);
}

function open(sealed: string, sealer: Sealer): SealedContinuation | undefined {
  const opened = sealer.open(sealed);
  // The sealer authenticates: this is what talk.ts wrote.
  return opened === undefined ? undefined : (JSON.parse(opened) as SealedContinuation);
}
