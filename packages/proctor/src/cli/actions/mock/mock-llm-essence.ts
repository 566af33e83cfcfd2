// A call of a mock LLM in one line: what was said last, and what came back.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { LlmCall } from "../../../core/llm-script.ts";
import { plural } from "../../terminal/amounts.ts";
import { oneLine } from "../../terminal/text.ts";

/** Characters of a text that are looked at. */
const MAX_CHARS = 2000;

export function callEssence(call: LlmCall): string {
  const asked = call.endpoint === "chat" ? lastMessage(call.request) : inputOf(call.request);
  return [shown(asked), shown(answered(call))].filter((part) => part !== "").join("  →  ");
}

function answered({ content, tool_calls: calls = [], error, cut }: LlmCall): string {
  if (error !== undefined) return error.message;
  const called = calls.map(({ name, arguments: given = {} }) => {
    return `${name}(${typeof given === "string" ? given : JSON.stringify(given)})`;
  });
  return [...(content === undefined ? [] : [content]), ...called, ...(cut === true ? ["(cut)"] : [])].join(
    " ",
  );
}

function lastMessage(request: JsonObject | null): string {
  const messages = request?.["messages"];
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content = isJsonObject(last) ? last["content"] : undefined;
  return typeof content === "string" ? content : partsOf(content);
}

function partsOf(content: Json | undefined): string {
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part) => (isJsonObject(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join(" ");
}

function inputOf(request: JsonObject | null): string {
  const input = request?.["input"];
  if (typeof input === "string") return input;
  return Array.isArray(input) ? plural(input.length, "input") : "";
}

function shown(text: string): string {
  return oneLine(text.slice(0, MAX_CHARS));
}
