// What a driver gets to know of the conversation that its run belongs to.
import { failure, type Failure } from "../core/failure.ts";
import type { Json } from "../core/json.ts";
import type { Job } from "../core/ports/driver.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { ClaimedRun, Store } from "../core/ports/store.ts";
import { readHistory } from "./read-talk.ts";

/** The agent to whom a continuation belongs, and the continuation. */
interface SealedContinuation {
  agent: string;
  continuation: Json;
}

/** Nothing for a run that neither follows another nor goes on after it was parked. */
export async function conversationOf(
  deps: { store: Store; sealer: Sealer },
  { run, talk, continuation }: ClaimedRun,
): Promise<Pick<Job, "conversation" | "resume"> | Failure> {
  if (run.follows === null && continuation === null && run.conversation_id === run.id) return {};
  const sealed = continuation ?? (await followed(deps.store, run.follows));
  const opened = sealed === null ? undefined : open(sealed, deps.sealer);
  if (sealed !== null && opened === undefined) {
    return failure("SECRETS_LOST", "the way to go on with the conversation was sealed with another key");
  }
  const goesOn = continuation !== null || talk?.parked === true;
  return {
    conversation: {
      id: run.conversation_id,
      history: () => readHistory(deps.store, run),
      // What belongs to another agent is none of this one's business.
      ...(opened?.agent === run.agent && { continuation: opened.continuation }),
    },
    ...(goesOn && {
      resume: { pending: talk?.undelivered.length ?? 0, ...(talk?.cancel !== undefined && { cancel: true }) },
    }),
  };
}

async function followed(store: Store, runId: string | null): Promise<string | null> {
  return runId === null ? null : ((await store.readSecrets(runId))?.continuation ?? null);
}

function open(sealed: string, sealer: Sealer): SealedContinuation | undefined {
  const opened = sealer.open(sealed);
  // The sealer authenticates: this is what talk.ts wrote.
  return opened === undefined ? undefined : (JSON.parse(opened) as SealedContinuation);
}
