// A model that answers from a script, in this process: what plays simulated users offline.
import type { JsonObject } from "../../core/json.ts";
import type { LlmScript } from "../../core/llm-script.ts";
import type { AskLlm } from "../../core/ports/llm.ts";
import { createAskLlm } from "../../suites/judge/ask-llm.ts";
import { createMockModel } from "./mock-model.ts";
import { never } from "../../runtime/time/never.ts";

/** The address is never opened; it only stands in messages. */
const URL = "http://script.invalid/v1";

/** Creates the model. Answers that are used up stay used up as long as it exists. */
export function createScriptedModel(script: LlmScript): AskLlm {
  const answer = createMockModel(script);
  return createAskLlm({
    url: URL,
    retries: 0,
    fetch(_url, init) {
      // What createAskLlm sends is a JSON object, as text.
      const body = JSON.parse(init?.body as string) as JsonObject;
      return answer(body, init?.signal ?? never);
    },
  });
}
