// The functions that an agent offers to its model.
import { describeThrown, LLMError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { FunctionCall } from "../tool.ts";
import type { Message } from "./completion.ts";

/** A function that the model may call. The model receives what it returns, or the message of what it throws. */
export type FunctionHandler = (args: JsonObject) => unknown;

export interface Functions {
  register: (name: string, handler: FunctionHandler) => void;
  execute: (call: FunctionCall) => Promise<unknown>;
  /** Returns the message for the model. It includes a failure, because the model may know another way. */
  answer: (call: FunctionCall) => Promise<Message>;
}

export function createFunctions(): Functions {
  const handlers = new Map<string, FunctionHandler>();
  const functions: Functions = {
    register(name, handler) {
      handlers.set(name, handler);
    },
    async execute(call) {
      const handler = handlers.get(call.name);
      if (handler === undefined) {
        const known = [...handlers.keys()].sort().join(", ") || "none";
        throw new LLMError("unknown_function", `there is no function ${call.name}; there are: ${known}`);
      }
      if (call.arguments === null)
        throw new LLMError("invalid_arguments", `the arguments of ${call.name} are not a JSON object`);
      return handler(call.arguments);
    },
    async answer(call) {
      const message = { role: "tool", tool_call_id: call.id };
      try {
        const result = await functions.execute(call);
        const content = typeof result === "string" ? result : JSON.stringify(result ?? null);
        return { ...message, content };
      } catch (error) {
        process.stderr.write(`term-sdk: the function ${call.name} failed: ${describeThrown(error)}\n`);
        return { ...message, content: `error: ${describeThrown(error)}` };
      }
    },
  };
  return functions;
}
