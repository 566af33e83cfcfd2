// One beat of an agent: whether it counts, and what it changes about the agent.
import { ProctorError } from "../core/errors.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import { LEASE_INTERVALS, type AgentCommand, type Beat } from "../core/registration.ts";
import { BeatBody } from "../runtime/schemas/registration.ts";
import { validate } from "../runtime/http/validate.ts";
import { intervalMs, kindOf, type Entry } from "./entry.ts";

/** Beats of one agent that are accepted within a second; more are refused. */
const MAX_PER_SECOND = 10;
const MAX_INSTANCE = 100;
const MAX_COUNT = 1_000_000_000;

/** Throws INVALID_REQUEST, NOT_SUPPORTED, LEASE_LOST or RATE_LIMITED, and then nothing has changed. */
export function acceptBeat(entry: Entry, given: Beat, now: number): void {
  const { lease, agent } = entry;
  if (kindOf(entry) !== "leased") {
    throw new ProctorError(
      "NOT_SUPPORTED",
      `agent ${agent.name} holds no lease, and need not beat\nonly agents that registered themselves without "probe" do`,
    );
  }
  limitRate(entry, now);
  // What arrives is whatever a client sent.
  const beat = isPlain(given) ? given : (validate(BeatBody, given, "body") as Beat);
  if (beat.instance !== undefined && beat.instance !== lease.instance) {
    throw lost(agent.name, "another instance of it has registered since");
  }
  if (beat.sequence !== undefined && entry.sequence !== null && beat.sequence <= entry.sequence) {
    throw lost(agent.name, `beat ${beat.sequence} is from the past: ${entry.sequence} was heard already`);
  }
  lease.beatAt = now;
  if (beat.sequence !== undefined) entry.sequence = beat.sequence;
  if (beat.load !== undefined) entry.load = beat.load;
  if (beat.health !== undefined) entry.trouble = beat.health === "ok" ? null : beat.health;
  if (beat.draining !== undefined) lease.draining = beat.draining;
}

/** Returns the commands of the answer: one is repeated, because an answer may be lost; `resume` for as long as a lease lasts. */
export function commandsFor(entry: Entry, now: number): AgentCommand[] {
  const { command, commandedAt } = entry.lease;
  if (command === null) return [];
  const isOld = now - (commandedAt ?? 0) > LEASE_INTERVALS * intervalMs(entry);
  return command === "resume" && isOld ? [] : [command];
}

/** Returns whether a beat, like most, needs no schema, which would take longer than the rest of the beat. */
function isPlain(beat: Beat): boolean {
  if (!isJsonObject(beat)) return false;
  for (const key in beat) if (key !== "instance" && key !== "load" && key !== "sequence") return false;
  const { instance, load, sequence } = beat;
  if (instance !== undefined && (typeof instance !== "string" || instance.length > MAX_INSTANCE))
    return false;
  if (
    sequence !== undefined &&
    !(typeof sequence === "number" && Number.isSafeInteger(sequence) && sequence >= 0)
  )
    return false;
  return load === undefined || isPlainLoad(load);
}

function isPlainLoad(load: Json): boolean {
  if (!isJsonObject(load)) return false;
  for (const key in load) {
    if (key !== "active" && key !== "capacity" && key !== "queued") return false;
    const count = load[key];
    if (typeof count !== "number" || !(count >= 0 && count <= MAX_COUNT)) return false;
  }
  return true;
}

function limitRate(entry: Entry, now: number): void {
  if (now - entry.windowStart >= 1000 || now < entry.windowStart) {
    entry.windowStart = now;
    entry.beats = 0;
  }
  entry.beats += 1;
  if (entry.beats <= MAX_PER_SECOND) return;
  throw new ProctorError(
    "RATE_LIMITED",
    `agent ${entry.agent.name} beats more than ${MAX_PER_SECOND} times a second\nonce in an interval is enough`,
  );
}

function lost(name: string, why: string): ProctorError {
  return new ProctorError("LEASE_LOST", `the beat of ${name} does not count: ${why}\nregister it again`, {
    details: { agent: name },
  });
}
