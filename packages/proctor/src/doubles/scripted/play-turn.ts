// Plays the events of one turn, in their order and at their time. What an event is and who hears it is left to the caller.
import type { Clock } from "../../core/ports/clock.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import { pause } from "../../runtime/time/pause.ts";
import type { ScriptedEvent, Turn } from "./script.ts";

interface PlayTurnOptions {
  clock: Clock;
  /** Takes one event. What it throws ends the turn. */
  emit: (event: ScriptedEvent) => void;
  /** Called when all events were played and the turn stays open. */
  onOpen: () => void;
}

/** Resolves when the turn is over; at once where nothing has to be waited for. Ends quietly when the signal aborts. */
export async function playTurn(turn: Turn, options: PlayTurnOptions, signal: AbortSignal): Promise<void> {
  const { clock, emit, onOpen } = options;
  for (const event of turn.events) {
    if (event.delayMs !== undefined && event.delayMs > 0) {
      await pause(clock, event.delayMs, signal).catch(() => undefined);
    }
    if (signal.aborted) return;
    emit(event);
  }
  if (turn.staysOpen !== true) return;
  onOpen();
  await whenAborted(signal);
}
