// What waits for a person: the open questions, kept current by the live events.
import { signal, effect } from "@preact/signals";
import { hub } from "../api/hub.ts";
import type { OpenQuestion } from "../api/gen/schema.ts";
import { generation, onEvent } from "../api/live.ts";
import { refusal, token } from "../api/token.ts";

/** Number of questions that are read at most; the inbox says when there are more. */
const SHOWN = 200;
const PAUSE_MS = 250;

export const waiting = signal<readonly OpenQuestion[]>([]);
export const waitingCount = signal(0);
/** True when there are more questions than are shown. */
export const moreWaiting = signal(false);

let timer: ReturnType<typeof setTimeout> | undefined;

async function load(): Promise<void> {
  try {
    const { items, next_cursor } = await hub.questions({ limit: SHOWN });
    waiting.value = items;
    waitingCount.value = items.filter(({ question }) => question.audience !== "simulator").length;
    moreWaiting.value = next_cursor !== null;
  } catch {
    // A hub that does not answer is shown by the connection, a refused token by the login.
  }
}

/** Reads the questions again soon; many events make one request. */
export function reloadWaiting(): void {
  clearTimeout(timer);
  timer = setTimeout(() => void load(), PAUSE_MS);
}

onEvent(({ type }) => {
  if (type.startsWith("question.") || type === "run.ended") reloadWaiting();
});
effect(() => {
  // The questions are read again with another token, and from another hub.
  void [token.value, generation.value];
  if (refusal.value === undefined) reloadWaiting();
});
