// What of a task was reported already, small enough to be kept with the way to go on: a process that takes the task over reports the rest,
// and nothing twice.
import { createHash } from "node:crypto";
import { canonicalJson } from "../../../core/canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";

/** Serialised form of the fingerprints; `restoreHeard` is the inverse. */
export interface HeardState extends JsonObject {
  /** Fingerprints of the messages that were reported. */
  messages: string[];
  /** Fingerprints of the artifacts that were reported whole, by their ids. */
  artifacts: Record<string, string>;
}

/** Messages and artifacts that are remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 2000;
const DIGITS = 16;

export interface Heard {
  /** Remembers a message; returns false when it was known before. */
  addMessage(message: JsonObject): boolean;
  /** Returns whether exactly this content was reported as the whole of the artifact. */
  hasArtifact(id: string, content: Json): boolean;
  addArtifact(id: string, content: Json): void;
  state(): HeardState;
}

export function createHeard(before?: Json): Heard {
  const { messages, artifacts } = restored(before);

  return {
    addMessage(message) {
      const key = fingerprint(message);
      if (messages.has(key)) return false;
      messages.add(key);
      forgetOldest(messages);
      return true;
    },
    hasArtifact: (id, content) => artifacts.get(id) === fingerprint(content),
    addArtifact(id, content) {
      artifacts.set(id, fingerprint(content));
      forgetOldest(artifacts);
    },
    state: () => ({ messages: [...messages], artifacts: Object.fromEntries(artifacts) }),
  };
}

function restored(before: Json | undefined): { messages: Set<string>; artifacts: Map<string, string> } {
  const { messages, artifacts } = isJsonObject(before) ? before : {};
  const known = Array.isArray(messages) ? messages.filter((key) => typeof key === "string") : [];
  const whole = isJsonObject(artifacts) ? Object.entries(artifacts) : [];
  const texts = whole.flatMap(([id, key]) => (typeof key === "string" ? [[id, key] as const] : []));
  return { messages: new Set(known), artifacts: new Map(texts) };
}

function forgetOldest(kept: Set<string> | Map<string, string>): void {
  if (kept.size <= MAX_REMEMBERED) return;
  const [oldest] = kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}

export function fingerprint(value: Json): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, DIGITS);
}
