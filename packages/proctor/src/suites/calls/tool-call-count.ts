// How many tools were called: the larger of what the agent says in its answer and what its events add up to.
import { z } from "zod";
import type { CheckSubject } from "../check.ts";
import { observed, toolCalls } from "./tool-calls.ts";

export const countConfig = z.strictObject({ limit: z.int().min(0), observed });

export async function countToolCalls(subject: CheckSubject, seen: boolean): Promise<number> {
  const { length } = await toolCalls(subject, seen);
  return seen ? length : Math.max(length, subject.run.metrics.tool_calls ?? 0);
}
