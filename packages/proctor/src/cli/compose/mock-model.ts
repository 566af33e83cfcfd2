// The scripted model of doubles/llm in the place of a real one, for the model endpoints of runs.
import type { LlmScript } from "../../core/llm-script.ts";
import { ApiError, errorBody } from "../../runtime/openai/api-error.ts";
import { createChat } from "../../doubles/llm/chat.ts";
import { replyResponse, type Reply } from "../../doubles/llm/reply.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { AskModel } from "../../llm/ask-model.ts";

/** Creates the model. Answers that are used up stay used up as long as it exists. */
export function createMockModel(script: LlmScript): AskModel {
  const chat = createChat({ script, clock: systemClock, redact: (text) => text });
  return async (body, signal) => {
    let reply: Reply;
    try {
      ({ reply } = await chat(body, signal));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reply = { status: error.status, headers: error.headers, body: errorBody(error) };
    }
    const breakOff = (): Promise<never> => Promise.reject(new Error("the script cuts the stream here"));
    return replyResponse(reply, { clock: systemClock, signal, breakOff });
  };
}
