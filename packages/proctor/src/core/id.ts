// UUID version 7: time-ordered, so that new rows land at the end of an index, and a valid ATP `task_id`.
import { randomHex } from "./random.ts";

const VARIANT = "89ab";

export function uuidV7(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(12, "0");
  const random = randomHex(10);
  const variant = VARIANT[Number.parseInt(random[3] ?? "0", 16) % 4] ?? "8";
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** Returns when an id was made, in epoch milliseconds; undefined for one that is not a UUID of version 7. */
export function uuidTime(id: string): number | undefined {
  if (!UUID.test(id) || id[14] !== "7") return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
