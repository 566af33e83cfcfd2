// How long each part of a trial took, in milliseconds: making its environment, the agent's work, the verifier.
import type { RunEvent } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import type { Run } from "../core/run.ts";

export function phasesOf(run: Run, events: readonly RunEvent[], details: JsonObject): JsonObject {
  const started = millis(run.started_at);
  const ended = millis(run.ended_at);
  const opened = events.findLast(({ type }) => type === "environment.opened");
  const ready = opened ? Date.parse(opened.timestamp) : started;
  return {
    queued_ms: between(millis(run.created_at), started),
    environment_ms: between(started, ready),
    agent_ms: between(ready, ended),
    verifier_setup_ms: details["setup_ms"] ?? null,
    verifier_ms: details["verifier_ms"] ?? null,
  };
}

function between(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from;
}

function millis(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}
