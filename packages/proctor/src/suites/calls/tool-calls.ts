// The tool calls of a run, as its agent reported them or as the platform saw them at the run's endpoint.
import { z } from "zod";
import type { Json } from "../../core/json.ts";
import type { CheckSubject } from "../check.ts";
import { count, quoted } from "../texts/words.ts";

export interface ToolCall {
  /** The name of the tool; undefined when the agent did not report it. */
  tool: string | undefined;
  input: Json;
  output: Json | undefined;
  status: string | undefined;
  /** The sequence of the call's first event. */
  sequence: number;
}

/** Whether a check looks at what the platform observed instead of what the agent reported. */
export const observed = z.boolean().default(false);
export const toolNames = z.array(z.string().min(1)).min(1);

const MAX_CALLS = 100_000;
const STARTED = new Set(["started", "running", "pending"]);

/** The calls of a run, in order. Throws, which leaves a check unevaluated, when calls could not be observed or are too many. */
export async function toolCalls(subject: CheckSubject, seen: boolean): Promise<ToolCall[]> {
  const { tools, labs } = subject.run.options;
  if (seen && tools === undefined && labs === undefined) {
    throw new Error(`"observed" needs tools or labs that the platform serves, and the run had none`);
  }
  const calls: ToolCall[] = [];
  const open = new Map<string, ToolCall>();
  for await (const { type, payload, sequence } of subject.events()) {
    if (type !== (seen ? "tool.called" : "tool_call")) continue;
    // Payloads are as agents sent them: a field may hold another type than it should.
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

/** The tools that were called and the number of calls, for messages. */
export function listCalls(calls: readonly ToolCall[]): string {
  if (calls.length === 0) return "no tool was called";
  const counts = new Map<string, number>();
  for (const { tool = "?" } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return `${count(calls.length, "call")} of ${quoted([...counts.keys()])}`;
}

/** Describes the first call without a tool name, which leaves open which tools were not called. */
export function unnamed(calls: readonly ToolCall[]): string | undefined {
  const call = calls.find(({ tool }) => tool === undefined);
  return call && `event ${call.sequence} reports a call and not of which tool`;
}
