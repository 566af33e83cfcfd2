// Replaces the values of `context.environment` by `[redacted:NAME]` in everything that leaves the agent.
import { isObject, type Json } from "../protocol/json.ts";
import { hiddenTexts } from "./hidden-texts.ts";
import { type Row, rowsOf } from "./rows.ts";

export interface Redactor {
  readonly text: (text: string) => string;
  /** Replaces secrets in strings and keys, and numbers that are secrets themselves. */
  readonly value: <T extends Json>(value: T) => T;
  /** Replaces secrets in any content, even binary. Returns the same reference when there is none. */
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
}

interface Named {
  readonly row: Row;
  readonly name: string;
}

/** Units of a long secret that count as a match: they give it away, and comparing more would let hostile texts cost too much time. */
const ENOUGH_UNITS = 256;
const MIN_NUMBER_CHARS = 6;

export function createRedactor(environment: Readonly<Record<string, string>>): Redactor {
  const hidden = hiddenTexts(environment);
  if (hidden.size === 0) return { text: (text) => text, value: (value) => value, bytes: (bytes) => bytes };
  const byStart = new Map<string, Named[]>();
  for (const [text, name] of hidden) {
    for (const row of rowsOf(text)) {
      for (const start of new Set(row.starts.split(""))) {
        const rows = byStart.get(start) ?? [];
        rows.push({ row, name });
        byStart.set(start, rows);
      }
    }
  }

  function markerOf(name: string): string {
    return /^[\w.-]{1,128}$/.test(name) && regionsIn(byStart, name).length === 0
      ? `[redacted:${name}]`
      : "[redacted]";
  }

  function text(text: string): string {
    let shown = "";
    let from = 0;
    for (const { start, end, name } of regionsIn(byStart, text)) {
      shown += text.slice(from, start) + markerOf(name);
      from = end;
    }
    return from === 0 ? text : shown + text.slice(from);
  }

  function walk(value: Json): Json {
    if (typeof value === "string") return text(value);
    if (typeof value === "number") {
      const name = hidden.get(String(value));
      return name !== undefined && String(value).length >= MIN_NUMBER_CHARS ? markerOf(name) : value;
    }
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const shown = new Map<string, Json>();
    for (const [key, item] of Object.entries(value)) shown.set(uniqueKey(shown, text(key)), walk(item));
    return Object.fromEntries(shown);
  }

  return {
    text,
    // Only texts and secret numbers change, so the type stays.
    value: <T extends Json>(value: T) => walk(value) as T,
    bytes(bytes) {
      const before = Buffer.from(bytes).toString("latin1");
      const after = text(before);
      return after === before ? bytes : Buffer.from(after, "latin1");
    },
  };
}

interface Region {
  start: number;
  end: number;
  name: string;
}

/** Finds where secrets are in a text. Overlapping ones become one region. */
function regionsIn(byStart: ReadonlyMap<string, readonly Named[]>, text: string): Region[] {
  const regions: Region[] = [];
  for (let start = 0; start < text.length; start++) {
    for (const { row, name } of byStart.get(text.charAt(start)) ?? []) {
      const end = endOf(row, text, start);
      if (end === -1) continue;
      const last = regions.at(-1);
      if (last === undefined || start >= last.end) regions.push({ start, end, name });
      else last.end = Math.max(last.end, end);
    }
    // In a long run every character starts a match. Only those near its end can extend it, so the others are skipped.
    const last = regions.at(-1);
    if (last !== undefined && last.end - start > ENOUGH_UNITS * 2) start = last.end - ENOUGH_UNITS * 2;
  }
  return regions;
}

function endOf(row: Row, text: string, start: number): number {
  const enough = Math.min(row.length, ENOUGH_UNITS);
  let at = start;
  for (let index = 0; index < row.length; index++) {
    const next = row.read(index, text, at);
    if (next === -1) return index >= enough ? at : -1;
    at = next;
  }
  return at;
}

/** Two hidden keys of one object must not become one, or a value would be lost. */
function uniqueKey(taken: ReadonlyMap<string, Json>, key: string): string {
  let unique = key;
  for (let count = 2; taken.has(unique); count++) unique = `${key}~${count}`;
  return unique;
}
