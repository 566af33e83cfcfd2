// Calls back soon after events of runs that concern a page; many events make one call, and calls wait for each other's pause.
import type { Event } from "../api/gen/schema.ts";
import { connection, onEvent } from "../api/live.ts";

const PAUSE_MS = 400;

/** Returns the function that ends it. It also calls back when a lost connection is there again. */
export function soonAfterEvents(
  act: () => void,
  concerns: (event: Event) => boolean = () => true,
  pauseMs = PAUSE_MS,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      act();
    }, pauseMs);
  };
  let wasLost = false;
  const offConnection = connection.subscribe((state) => {
    if (state === "live" && wasLost) soon();
    wasLost = state === "lost";
  });
  const off = onEvent((event) => {
    if (concerns(event)) soon();
  });
  return () => {
    clearTimeout(timer);
    off();
    offConnection();
  };
}
