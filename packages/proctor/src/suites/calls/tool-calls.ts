// The tool calls of a run, as its agent reported them or as the platform saw them at the run's endpoint.
import { z } from "zod";
import type { Json } from "../../core/json.ts";
import type { CheckSubject } from "../check.ts";
import { count, quoted } from "../texts/words.ts";

export interface ToolCall {
  /** Undefined when the agent did not say which. */
  tool: string | undefined;
  input: Json;
  output: Json | undefined;
  status: string | undefined;
  /** Of its first event. */
  sequence: number;
}

/** Of every check of calls: what the agent says, or what it did. */
export const observed = z.boolean().default(false);
export const toolNames = z.array(z.string().min(1)).min(1);

const MAX_CALLS = 100_000;
const STARTED = new Set(["started", "running", "pending"]);

/** In order. Throws, which leaves a check unevaluated, when there is nothing to see them by, or too many to hold. */
export async function toolCalls(subject: CheckSubject, seen: boolean): Promise<ToolCall[]> {
  if (seen && subject.run.options.tools === undefined) {
    throw new Error(`"observed" needs tools that the platform serves, and the run had none`);
  }
  const calls: ToolCall[] = [];
  const open = new Map<string, ToolCall>();
  for await (const { type, payload, sequence } of subject.events()) {
    if (type !== (seen ? "tool.called" : "tool_call")) continue;
    // Payloads are as agents sent them: a field may hold something else than its type says.
    const { tool, input, args, output, status, call_id: id } = payload as Record<string, Json | undefined>;
    const end = { output, status: typeof status === "string" ? status : undefined };
    const key = typeof id === "string" ? id : undefined;
    const before = key === undefined ? undefined : open.get(key);
    if (before && key !== undefined) {
      // The start and the end of one call are one call.
      Object.assign(before, end);
      if (!STARTED.has(end.status ?? "")) open.delete(key);
      continue;
    }
    if (calls.length >= MAX_CALLS) throw new Error(`the run has more than ${MAX_CALLS} tool calls`);
    const name = typeof tool === "string" ? tool : undefined;
    const call: ToolCall = { tool: name, input: input ?? args ?? {}, ...end, sequence };
    calls.push(call);
    if (key !== undefined && STARTED.has(end.status ?? "")) open.set(key, call);
  }
  return calls;
}

/** For messages: which tools were called, and how often. */
export function listCalls(calls: readonly ToolCall[]): string {
  if (calls.length === 0) return "no tool was called";
  const counts = new Map<string, number>();
  for (const { tool = "?" } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return `${count(calls.length, "call")} of ${quoted([...counts.keys()])}`;
}

/** The first call that does not say of which tool it is: with one, nobody can say what was not called. */
export function unnamed(calls: readonly ToolCall[]): string | undefined {
  const call = calls.find(({ tool }) => tool === undefined);
  return call && `event ${call.sequence} reports a call and not of which tool`;
}
