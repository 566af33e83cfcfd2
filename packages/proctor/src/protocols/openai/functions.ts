// The functions that are offered to the model: the run's tools, and `ask_user` where somebody can be asked. Names of tools may have
// characters that names of functions may not, so each function knows its tool.
import { ASK_USER, type OpenaiFunction } from "./wire.ts";
import type { JsonObject } from "../../core/json.ts";

export interface ToolFacts {
  name: string;
  description?: string;
  /** JSON Schema of the input, where it is known. */
  inputSchema?: JsonObject;
}

export type Offered = { kind: "tool"; name: string } | { kind: "ask" };

export interface Functions {
  /** Definitions in the form in which they go with each request. */
  definitions: readonly OpenaiFunction[];
  /** Returns the tool behind this function; undefined when it was never offered. */
  find(name: string): Offered | undefined;
}

const MAX_NAME_CHARS = 64;
const ANY_INPUT: JsonObject = { type: "object", properties: {}, additionalProperties: true };
const ASK_DEFINITION: OpenaiFunction = {
  type: "function",
  function: {
    name: ASK_USER,
    description: "Asks the user for something that the task needs and that is not known. Returns the answer.",
    parameters: {
      type: "object",
      properties: { question: { type: "string", description: "The question, as the user reads it." } },
      required: ["question"],
      additionalProperties: false,
    },
  },
};

export function offerFunctions(tools: readonly ToolFacts[], canAsk: boolean): Functions {
  const offered = new Map<string, Offered>();
  const definitions: OpenaiFunction[] = [];
  for (const { name, description, inputSchema } of tools) {
    const called = functionName(name, offered);
    offered.set(called, { kind: "tool", name });
    definitions.push({
      type: "function",
      function: {
        name: called,
        ...(description !== undefined && { description }),
        parameters: inputSchema ?? ANY_INPUT,
      },
    });
  }
  // A tool of that name is the run's own way to ask.
  if (canAsk && !offered.has(ASK_USER)) {
    offered.set(ASK_USER, { kind: "ask" });
    definitions.push(ASK_DEFINITION);
  }
  return { definitions, find: (name) => offered.get(name) };
}

/** Returns a name of letters, digits, `_` and `-`, at most 64 of them; different for each tool. */
function functionName(tool: string, taken: ReadonlyMap<string, unknown>): string {
  const clean = tool.replaceAll(/[^\w-]/g, "_").slice(0, MAX_NAME_CHARS) || "tool";
  let name = clean;
  for (let number = 2; taken.has(name); number++) {
    const suffix = `_${number}`;
    name = `${clean.slice(0, MAX_NAME_CHARS - suffix.length)}${suffix}`;
  }
  return name;
}
