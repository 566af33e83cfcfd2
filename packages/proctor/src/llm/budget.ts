// The money of one run at its endpoint. A call under way reserves what it may cost, so that calls at the same time cannot spend the
// same dollar; one that finds the rest reserved waits until it is known what those calls have cost.
import { ApiError } from "../runtime/openai/api-error.ts";

export interface Budget {
  /** Throws ApiError when the money is spent, or the signal's reason. What costs nothing is never refused. */
  reserve(estimateUsd: number, signal: AbortSignal): Promise<Reservation>;
}

export interface Reservation {
  /** Charges the real cost in US dollars; only the first call counts. */
  settle(costUsd: number): void;
}

/** US dollars by which sums of fractions may be off; less than the price of a token. */
const NOISE_USD = 1e-9;

export function createBudget(limitUsd: number): Budget {
  const reserved = new Map<symbol, number>();
  const waiting = new Set<() => void>();
  let spent = 0;

  const isUsedUp = (usd: number): boolean => usd >= limitUsd - NOISE_USD;
  const inFlight = (): number => [...reserved.values()].reduce((sum, usd) => sum + usd, 0);

  function settled(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  return {
    async reserve(estimateUsd, signal) {
      const hasNoRoom = (): boolean => estimateUsd > 0 && isUsedUp(spent + inFlight());
      // Nothing is awaited between the last check and the reservation.
      while (hasNoRoom()) {
        if (isUsedUp(spent)) throw exceeded(spent, limitUsd);
        signal.throwIfAborted();
        await settled(signal);
      }
      signal.throwIfAborted();
      const mine = Symbol("reservation");
      reserved.set(mine, estimateUsd);
      return {
        settle(costUsd) {
          if (!reserved.delete(mine)) return;
          spent += costUsd;
          for (const wake of waiting) wake();
        },
      };
    },
  };
}

function exceeded(spent: number, limit: number): ApiError {
  const message = `the budget of this run is spent: ${show(spent)} of ${show(limit)} US dollars`;
  return new ApiError(402, message, { code: "budget_exceeded" });
}

function show(usd: number): string {
  return String(Number(usd.toPrecision(6)));
}
