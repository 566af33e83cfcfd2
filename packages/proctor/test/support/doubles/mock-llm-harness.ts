// A mock LLM on a real socket for each test, and callers for it.
import type { JsonObject } from "../../../src/core/json.ts";
import type {
  LlmCall,
  LlmCondition,
  LlmRule,
  LlmScript,
  ScriptedAnswer,
} from "../../../src/core/llm-script.ts";
import { afterEveryTest } from "../closing.ts";
import { openMockLlm, type MockLlm, type MockLlmOptions } from "../../../src/doubles/llm/open-mock-llm.ts";

export interface StartedLlm extends MockLlm {
  /** Calls that were reported, in order. */
  reported: LlmCall[];
  /** Address of the whole server, without `/v1`. */
  root: string;
}

const open: MockLlm[] = [];

afterEveryTest(async () => {
  await Promise.all(open.splice(0).map((llm) => llm.close()));
});

export async function startLlm(
  script: Partial<LlmScript>,
  options: Partial<MockLlmOptions> = {},
): Promise<StartedLlm> {
  const reported: LlmCall[] = [];
  const llm = await openMockLlm({
    script: { answers: [], ...script },
    host: "127.0.0.1",
    port: 0,
    ...options,
    async onCall(call) {
      await options.onCall?.(call);
      reported.push(call);
    },
  });
  open.push(llm);
  return { ...llm, reported, root: llm.url.replace(/\/v1$/, "") };
}

export function rule(when: LlmCondition | undefined, answer: ScriptedAnswer, times?: number): LlmRule {
  // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
  return { ...(when && { when }), then: answer, ...(times !== undefined && { times }) };
}

export interface Answered {
  status: number;
  headers: Headers;
  body: JsonObject;
}

export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });
  // Our own answers are objects.
  return { status: response.status, headers: response.headers, body: (await response.json()) as JsonObject };
}

export function chat(llm: MockLlm, ...messages: (string | JsonObject)[]): Promise<Answered> {
  return post(`${llm.url}/chat/completions`, request(...messages));
}

/** A chat request; plain texts are messages of the user. */
export function request(...messages: (string | JsonObject)[]): JsonObject {
  return {
    model: "gpt-test",
    messages: messages.map((message) =>
      typeof message === "string" ? { role: "user", content: message } : message,
    ),
  };
}
