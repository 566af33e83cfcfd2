// A tool that answers what its rules say.
import { messageOf } from "../../core/message-of.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { MockAnswer, ToolDefinition } from "../../core/tools.ts";
import { compileMatcher } from "./match-input.ts";
import { errorAnswer, type OfferedTool, type ToolAnswer } from "./offered-tool.ts";
import { pause } from "../../runtime/time/pause.ts";

interface MockOptions {
  clock: Clock;
  /** Milliseconds of delay for answers that name none. */
  defaultDelayMs: number;
}

export function createMockTool(
  definition: ToolDefinition,
  { clock, defaultDelayMs }: MockOptions,
): OfferedTool {
  const { name, description, responses = [], default: fallback } = definition;
  const rules = responses.map(({ when, then }) => ({ matches: compileMatcher(when), next: sequence(then) }));

  return {
    name,
    ...(description !== undefined && { description }),
    mode: "mock",
    async call({ input }, signal) {
      let answer: MockAnswer | undefined;
      try {
        // The answer is chosen before any await, so that concurrent calls get different entries of a sequence.
        answer = rules.find(({ matches }) => matches(input))?.next() ?? fallback;
      } catch (error) {
        return errorAnswer(messageOf(error));
      }
      const delayMs = answer?.delay_ms ?? defaultDelayMs;
      if (delayMs > 0) await pause(clock, delayMs, signal);
      if (answer !== undefined) return played(answer, name);
      const count = rules.length === 1 ? "the one response" : `any of the ${rules.length} responses`;
      return errorAnswer(`the input of ${name} does not match ${count} of this mock, and it has no default`);
    },
  };
}

/** Returns the answers one after the other, and then the last one again and again. */
function sequence(then: MockAnswer | MockAnswer[]): () => MockAnswer | undefined {
  const answers = Array.isArray(then) ? then : [then];
  let next = 0;
  return () => answers[Math.min(next++, answers.length - 1)];
}

function played(answer: MockAnswer, name: string): ToolAnswer {
  const { output, error, error_code: code, status, delay_ms: _, http_status, ...rest } = answer;
  const isError = error !== undefined || status === "error";
  return {
    status: status ?? (isError ? "error" : "success"),
    ...(isError
      ? { error: error ?? `${name} failed`, error_code: code ?? "TOOL_ERROR" }
      : { output: output ?? null }),
    ...(isError && output !== undefined && { output }),
    ...(http_status !== undefined && { http_status }),
    ...rest,
  };
}
