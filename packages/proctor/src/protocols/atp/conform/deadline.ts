// The time of one exchange: its limit, the moment of a cancel and the grace after it, and the wait for the last word. What
// happens then is the transport's business.
import type { ExchangeOptions } from "./exchange.ts";

export interface Deadline {
  /** Called for each message; the first one triggers the cancel, if one was asked for. */
  heard(): void;
  /** Called when the agent has responded or closed its output; from then on only the grace period runs. */
  answered(): void;
  /** Stops all timers. */
  clear(): void;
  readonly overtime: boolean;
  readonly cancelled: boolean;
  readonly lingered: boolean;
}

export interface DeadlineActions {
  /** Asks the agent to stop. */
  cancel: () => void;
  /** Cuts the agent off at once. */
  cut: () => void;
}

export function startDeadline(options: ExchangeOptions, { cancel, cut }: DeadlineActions): Deadline {
  const { cancelAfterMs, graceMs, signal, timeoutMs } = options;
  let overtime = false;
  let cancelled = false;
  let lingered = false;
  let answered = false;
  let limit = setTimeout(expire, timeoutMs);
  let letGo: NodeJS.Timeout | undefined;
  const cancelling = cancelAfterMs === undefined ? undefined : setTimeout(ask, cancelAfterMs);

  function expire(): void {
    overtime = !answered;
    cut();
  }

  function ask(): void {
    clearTimeout(cancelling);
    if (cancelled || answered) return;
    cancelled = true;
    clearTimeout(limit);
    limit = setTimeout(expire, graceMs);
    cancel();
  }

  signal.addEventListener("abort", cut);
  if (signal.aborted) queueMicrotask(cut);

  return {
    heard() {
      if (cancelAfterMs !== undefined) ask();
    },
    answered() {
      if (answered) return;
      answered = true;
      clearTimeout(cancelling);
      clearTimeout(limit);
      letGo = setTimeout(() => {
        lingered = true;
        cut();
      }, graceMs);
    },
    clear() {
      clearTimeout(limit);
      clearTimeout(cancelling);
      clearTimeout(letGo);
      signal.removeEventListener("abort", cut);
    },
    get overtime() {
      return overtime;
    },
    get cancelled() {
      return cancelled;
    },
    get lingered() {
      return lingered;
    },
  };
}
