// The result of an MCP tool as the answer of one of ours.
import { isJsonObject, type Json } from "../../core/json.ts";
import { errorAnswer, type ToolAnswer } from "./offered-tool.ts";

/** Structured content as it is; text as text; anything else as the list of blocks that it came in. */
export function answerOf(name: string, result: Json): ToolAnswer {
  const { content = [], structuredContent, isError } = isJsonObject(result) ? result : {};
  const texts = textsIn(content);
  if (isError === true) return errorAnswer(texts?.join("\n") || `${name} failed`);
  if (structuredContent !== undefined) return { status: "success", output: structuredContent };
  return { status: "success", output: texts === undefined ? content : texts.join("\n") };
}

/** Undefined when there is something else among them. */
function textsIn(content: Json): string[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((block) => {
    const text = isJsonObject(block) && block["type"] === "text" ? block["text"] : undefined;
    return typeof text === "string" ? [text] : [];
  });
  return texts.length === content.length ? texts : undefined;
}
