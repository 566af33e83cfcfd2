// What the mock model says where neither a model nor a script is configured: enough for a first terminal agent to take one step and end.
import type { LlmCondition, LlmRule, LlmScript, ScriptedAnswer } from "../core/llm-script.ts";

const WHO = "This is Proctor's mock model; PROCTOR_LLM_URL names a real one, llm_script other answers";

/** An agent that explains the command format of document 002 to its model wants an answer in that format. */
const ASKS_FOR_COMMANDS: LlmCondition = {
  json_path: { path: "$.messages[*].content", contains: "task_complete" },
};

export const DEFAULT_SCRIPT: LlmScript = {
  name: "the built-in mock model",
  model: "mock",
  answers: [
    rule(
      ASKS_FOR_COMMANDS,
      {
        content: JSON.stringify({
          command: "echo 'hello from the mock model'",
          task_complete: false,
          text: `${WHO}.`,
        }),
      },
      1,
    ),
    rule(ASKS_FOR_COMMANDS, {
      content: JSON.stringify({ command: null, task_complete: true, text: "The mock model is done." }),
    }),
  ],
  default: { content: `${WHO}.` },
};

function rule(when: LlmCondition, answer: ScriptedAnswer, times?: number): LlmRule {
  // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
  return { when, then: answer, ...(times !== undefined && { times }) };
}
