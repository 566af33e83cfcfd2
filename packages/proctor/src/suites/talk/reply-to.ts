// Turns a wanted answer into the form that a question takes: the option of that name, text, or data.
import { isJsonObject, type Json } from "../../core/json.ts";
import { textPart } from "../../core/message.ts";
import { deny } from "../../core/policy.ts";
import type { Question } from "../../core/question.ts";
import type { Reply } from "./user-side.ts";

/** `{option: …}` chooses where there are options; any other mapping, and that one elsewhere, is data. */
export function replyTo({ options = [] }: Question, wanted: Json): Reply {
  if (typeof wanted === "string") {
    const named = options.find(({ id, name }) => wanted === id || wanted === name);
    return named ? { kind: "answer", option: named.id } : { kind: "answer", parts: [textPart(wanted)] };
  }
  if (isJsonObject(wanted) && options.length > 0 && Object.keys(wanted).length === 1) {
    const { option } = wanted;
    if (typeof option === "string") return { kind: "answer", option };
  }
  return { kind: "answer", data: wanted };
}

export function decline(question: Question): Reply {
  return { kind: "answer", ...deny(question) };
}
