// What an event is called in one line, and which family it belongs to; families share a colour.
import type { EvidenceEvent } from "../../../evidence.ts";
import type { Format } from "./create-format.ts";

export type EventLook = ReturnType<typeof createEventLook>;

export function createEventLook(format: Format) {
  const families: [RegExp, string][] = [
    [/error|violation|failed/, "error"],
    [/^llm/, "llm"],
    [/^tool/, "tool"],
    [/^artifact/, "artifact"],
    [/^(reasoning|state_change|progress)$/, "thought"],
    [/^(log|process|wire)/, "log"],
    [/^(run|workspace)/, "platform"],
  ];

  function family(type: string): string {
    return families.find(([pattern]) => pattern.test(type))?.[1] ?? "log";
  }

  function label({ payload }: EvidenceEvent): string {
    const first = [
      payload["tool"],
      payload["model"],
      payload["thought"],
      payload["message"],
      payload["text"],
      payload["to_state"],
      payload["step"],
      payload["path"],
      payload["rule"],
      payload["status"],
      payload["event_type"],
      payload["agent"],
    ].find((value) => typeof value === "string" && value !== "");
    return typeof first === "string" ? format.shorten(first.split("\n")[0] ?? "", 160) : "";
  }

  /** Events are recorded when what they tell of is over. */
  function span({ at_ms, duration_ms }: EvidenceEvent): { start: number; end: number } {
    const end = Number.isFinite(at_ms) ? Math.max(0, at_ms) : 0;
    const length = duration_ms !== undefined && Number.isFinite(duration_ms) ? Math.max(0, duration_ms) : 0;
    return { start: Math.max(0, end - length), end };
  }

  function tip(event: EvidenceEvent): string {
    const { start } = span(event);
    const took = event.duration_ms === undefined ? "" : `, took ${format.duration(event.duration_ms)}`;
    const payload = format.shorten(JSON.stringify(event.payload), 400);
    return `#${event.sequence} ${event.type}\nat ${format.duration(start)}${took}\n${payload}`;
  }

  return { family, label, span, tip };
}
