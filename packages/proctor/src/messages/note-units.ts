// Reports once for each sender that its timestamps are in another unit than they should be: they are understood, but may be meant otherwise.
import { unitOf } from "./timestamp.ts";

/** Senders that are remembered; further ones are not reported. */
const MAX_SENDERS = 1000;

export type NoteUnit = (from: string, timestamp: number | undefined) => void;

export function createNoteUnit(remark: (text: string) => void): NoteUnit {
  const noted = new Set<string>();
  return (from, timestamp) => {
    if (timestamp === undefined || noted.has(from) || noted.size >= MAX_SENDERS) return;
    const unit = unitOf(timestamp);
    if (unit === "milliseconds") return;
    noted.add(from);
    remark(`the timestamps of "${from}" are taken for ${unit}; an envelope has epoch milliseconds`);
  };
}
