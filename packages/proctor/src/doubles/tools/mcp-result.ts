// The result of an MCP tool as the answer of one of ours.
import { isJsonObject, type Json } from "../../core/json.ts";
import { errorAnswer, type ToolAnswer } from "./offered-tool.ts";

/** Returns structured content as it is, text as text, and anything else as the list of its blocks. */
export function answerOf(name: string, result: Json): ToolAnswer {
  const { content = [], structuredContent, isError } = isJsonObject(result) ? result : {};
  const texts = textsIn(content);
  if (isError === true) return errorAnswer(texts?.join("\n") || `${name} failed`);
  if (structuredContent !== undefined) return { status: "success", output: structuredContent };
  return { status: "success", output: texts === undefined ? content : texts.join("\n") };
}

/** Returns the texts of the blocks; undefined when one of them is not a text. */
function textsIn(content: Json): string[] | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((block) => {
    const text = isJsonObject(block) && block["type"] === "text" ? block["text"] : undefined;
    return typeof text === "string" ? [text] : [];
  });
  return texts.length === content.length ? texts : undefined;
}
