// Watches a run to its end, and those that take over from it by retry policy. An interruption cancels the one in
// flight and still waits for its end: what a run did is never left unknown.
import { ProctorError } from "../../../core/errors.ts";
import type { RunEvent } from "../../../core/event.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";

export interface Watcher {
  /** Called for the first run and for each that takes over. */
  onRun(run: Run): void;
  onEvent(event: RunEvent): void;
}

/** Resolves with the last run of the chain, which has ended. */
export async function followRun(hub: Hub, first: Run, watcher: Watcher, signal: AbortSignal): Promise<Run> {
  let run = first;
  for (;;) {
    watcher.onRun(run);
    await followOne(hub, run.id, watcher, signal);
    const ended = await hub.run(run.id);
    if (ended.retried_as === null) return ended;
    run = await hub.run(ended.retried_as);
  }
}

async function followOne(hub: Hub, id: string, watcher: Watcher, signal: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const cancel = () => {
    hub.cancel(id, "interrupted at the command line").catch((error: unknown) => {
      // It ended by itself in the same moment.
      if (ProctorError.is(error) && error.code === "ILLEGAL_TRANSITION") return;
      lost.abort(error);
    });
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    for await (const event of hub.follow(id, -1, lost.signal)) watcher.onEvent(event);
    lost.signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
