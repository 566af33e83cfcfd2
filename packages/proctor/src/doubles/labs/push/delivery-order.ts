// What a delivery is among those before it: new, another attempt, a duplicate, too late, or one with others missing before it.
import { hash } from "node:crypto";
import type { PushDelivery } from "../../../core/push-script.ts";
import { createBoundedMap } from "../bounded-map.ts";
import type { Told } from "./read-delivery.ts";

/** How a delivery relates to those before it. */
export type Standing = Pick<PushDelivery, "retry_of" | "duplicate_of" | "out_of_order" | "gap">;

export interface DeliveryOrder {
  /** Records a delivery that has arrived, and returns how it relates to those before it. */
  place(delivery: { number: number; path: string; body: string; told: Told }): Standing;
  /** Records the answer to a delivery: whether the sender may take it for accepted. */
  settle(number: number, isAccepted: boolean): void;
}

interface Seen {
  number: number;
  isAccepted: boolean;
}

interface Progress {
  sequence?: number;
  state?: string;
  atMs?: number;
}

const MAX_SEEN = 10_000;
const TERMINAL = new Set(["completed", "failed", "canceled", "rejected"]);

export function createDeliveryOrder(): DeliveryOrder {
  const seen = createBoundedMap<Seen>(MAX_SEEN);
  const byNumber = createBoundedMap<Seen>(MAX_SEEN);
  const tasks = createBoundedMap<Progress>(MAX_SEEN);

  return {
    place({ number, path, body, told }) {
      const key = hash("sha256", `${path}\n${told.event_id ?? body}`);
      const before = seen.get(key);
      const entry = { number, isAccepted: false };
      byNumber.set(String(number), entry);
      if (before !== undefined) {
        // Once a delivery is accepted, every repetition is a duplicate.
        if (!before.isAccepted) seen.set(key, entry);
        return before.isAccepted ? { duplicate_of: before.number } : { retry_of: before.number };
      }
      seen.set(key, entry);
      const task = `${path}\n${told.task_id ?? ""}`;
      const progress = tasks.get(task) ?? {};
      const late = latenessOf(progress, told);
      const gap = gapOf(progress, told);
      if (late === undefined) tasks.set(task, { ...progress, ...progressOf(told) });
      return { ...(late !== undefined && { out_of_order: late }), ...(gap > 0 && { gap }) };
    },
    settle(number, isAccepted) {
      const entry = byNumber.get(String(number));
      if (entry) entry.isAccepted = isAccepted;
    },
  };
}

function latenessOf({ sequence, state, atMs }: Progress, told: Told): string | undefined {
  if (sequence !== undefined && told.sequence !== undefined && told.sequence < sequence) {
    return `event ${told.sequence} after event ${sequence}`;
  }
  if (state !== undefined && TERMINAL.has(state) && told.state !== undefined && told.state !== state) {
    return `${told.state} after ${state}`;
  }
  if (atMs !== undefined && told.atMs !== undefined && told.atMs < atMs) {
    return `a status of ${new Date(told.atMs).toISOString()} after one of ${new Date(atMs).toISOString()}`;
  }
  return undefined;
}

function gapOf({ sequence }: Progress, told: Told): number {
  return sequence === undefined || told.sequence === undefined ? 0 : told.sequence - sequence - 1;
}

function progressOf({ sequence, state, atMs }: Told): Progress {
  return {
    ...(sequence !== undefined && { sequence }),
    ...(state !== undefined && { state }),
    ...(atMs !== undefined && { atMs }),
  };
}
