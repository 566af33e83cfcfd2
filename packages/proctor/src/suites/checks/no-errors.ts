// Passes when the run completed, reported no error and no tool call of it failed.
import { z } from "zod";
import type { RunEvent } from "../../core/event.ts";
import type { Json } from "../../core/json.ts";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass } from "../verdict.ts";

const FAILED_CALLS = new Set(["error", "failed"]);

export const noErrors: Check<Record<string, never>> = {
  type: "no_errors",
  config: z.strictObject({}),
  async evaluate(subject) {
    const { status, failure } = subject.run;
    if (status !== "completed")
      return fail(`the run ended as ${status}${failure ? `: ${failure.message}` : ""}`);
    let count = 0;
    let first: { text: string; sequence: number } | undefined;
    for await (const event of subject.events()) {
      const text = errorIn(event);
      if (text === undefined) continue;
      count += 1;
      first ??= { text, sequence: event.sequence };
    }
    if (!first) return pass("no errors");
    const rest = count > 1 ? ` (and ${count - 1} more)` : "";
    return fail(`${first.text}${rest}`, { errors: count, first_sequence: first.sequence });
  },
};

function errorIn(event: RunEvent): string | undefined {
  if (event.type === "error") {
    const { error_type: type, message } = event.payload;
    return `the agent reported an error: ${textOf(message ?? type ?? "without a message")}`;
  }
  if (event.type !== "tool_call" || !FAILED_CALLS.has(String(event.payload.status).toLowerCase()))
    return undefined;
  const { tool, error } = event.payload;
  return `the tool ${textOf(tool ?? "?")} failed${error ? `: ${textOf(error)}` : ""}`;
}

/** Payloads are as agents sent them: a field may hold another type than it should. */
function textOf(value: Json): string {
  return quote(typeof value === "string" ? value : JSON.stringify(value), 300);
}
