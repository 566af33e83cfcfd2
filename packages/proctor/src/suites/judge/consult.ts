// Asks a judge until its answer can be used: from the cache when it has answered before, and once more when it missed the form.
import type { LlmAnswer, LlmMessage, LlmRequest } from "../../core/ports/llm.ts";
import type { Judge } from "../check.ts";
import { quote } from "../../core/printable.ts";
import type { Reading } from "./read-opinion.ts";

export interface Consultation<T> {
  messages: readonly LlmMessage[];
  model: string;
  temperature: number;
  /** The number of the vote: several answers to the same question are kept apart. */
  vote: number;
  /** Whether to look into the cache, and to keep the answer there. */
  cache: boolean;
  read: (answer: string) => Reading<T>;
}

export interface Consulted<T> {
  value: T;
  cached: boolean;
  /** The tokens used now; 0 when the answer came from the cache. */
  inputTokens: number;
  outputTokens: number;
}

const ATTEMPTS = 2;
const REPEATED_CHARS = 2000;

/** Throws with a message for people when no usable answer was given. */
export async function consult<T>(
  judge: Judge,
  consultation: Consultation<T>,
  signal: AbortSignal,
): Promise<Consulted<T>> {
  const { messages, model, temperature, vote, cache, read } = consultation;
  const question = {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    temperature,
    vote,
  };
  const kept = cache ? await judge.cache?.find(question) : undefined;
  const known = kept && read(kept.text);
  if (known?.ok) return { value: known.value, cached: true, inputTokens: 0, outputTokens: 0 };

  const request: LlmRequest = { model, messages, temperature, json: true };
  let inputTokens = 0;
  let outputTokens = 0;
  let problem = "";
  let answer: LlmAnswer | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const asked = answer
      ? { ...request, messages: [...messages, ...complaint(answer.text, problem)] }
      : request;
    answer = await judge.ask(asked, signal);
    inputTokens += answer.inputTokens ?? 0;
    outputTokens += answer.outputTokens ?? 0;
    const reading = read(answer.text);
    if (reading.ok) {
      if (cache) await judge.cache?.keep(question, { ...answer, inputTokens, outputTokens });
      return { value: reading.value, cached: false, inputTokens, outputTokens };
    }
    ({ problem } = reading);
  }
  const said = answer ? `: ${quote(answer.text, 200)}` : "";
  throw new Error(`its answer cannot be used, also when asked again: ${problem}${said}`);
}

function complaint(answer: string, problem: string): LlmMessage[] {
  return [
    { role: "assistant", content: answer.slice(0, REPEATED_CHARS) },
    {
      role: "user",
      content: `This answer cannot be used: ${problem}. Answer again, with one JSON object in the form that was asked for and nothing else.`,
    },
  ];
}
