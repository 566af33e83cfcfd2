// The model's answer, put together from its pieces: text, refusal, calls, what it used and why it ended. Pure but for what it has heard.
import type { Violation } from "../../core/event.ts";
import type { Piece } from "./codec.ts";
import type { OpenaiSentCall, OpenaiToolCall, OpenaiUsage } from "./wire.ts";

export interface ModelAnswer {
  readonly text: string;
  readonly refusal: string;
  readonly calls: OpenaiSentCall[];
  readonly model: string | undefined;
  readonly finishReason: string | undefined;
  readonly usage: OpenaiUsage | undefined;
  /** True when the answer exceeds the limits. */
  readonly overflowed: boolean;
  /** Adds a piece; returns its new text, including a refusal, and what is wrong with the piece. */
  add(piece: Piece): { text: string; violations: Violation[] };
}

/** Characters of the largest answer: its text, its refusal and the arguments of its calls together. */
export const MAX_ANSWER_CHARS = 16 * 1024 * 1024;
/** Calls of one answer; any beyond it are dropped. */
const MAX_CALLS = 128;
/** Characters of the longest model name that is kept. */
const MAX_MODEL_CHARS = 200;

interface Call {
  id: string;
  name: string;
  arguments: string[];
}

export function createAnswer(): ModelAnswer {
  const texts: string[] = [];
  const refusals: string[] = [];
  const calls = new Map<number, Call>();
  let chars = 0;
  let droppedCalls = false;
  let model: string | undefined;
  let finishReason: string | undefined;
  let usage: OpenaiUsage | undefined;

  function keep(into: string[], text: string): void {
    if (text === "") return;
    chars += text.length;
    if (chars <= MAX_ANSWER_CHARS) into.push(text);
  }

  /** Returns the place of a piece of a call: by its number, or by its id where the server does not number them. */
  function placeOf({ index, id }: OpenaiToolCall): number {
    if (index !== null && index !== undefined) return index;
    const isNew = id !== null && id !== undefined && id !== "";
    const last = Math.max(-1, ...calls.keys());
    return isNew || last === -1 ? last + 1 : last;
  }

  function addCall(sent: OpenaiToolCall): Violation[] {
    const place = placeOf(sent);
    const known = calls.get(place);
    if (!known && calls.size >= MAX_CALLS) {
      if (droppedCalls) return [];
      droppedCalls = true;
      return [violation(`an answer has more than ${MAX_CALLS} calls; the others were dropped`)];
    }
    const call = known ?? { id: "", name: "", arguments: [] };
    calls.set(place, call);
    // Some servers repeat both in every piece.
    call.id ||= sent.id ?? "";
    call.name ||= sent.function?.name ?? "";
    chars += known ? 0 : call.id.length + call.name.length;
    keep(call.arguments, sent.function?.arguments ?? "");
    return [];
  }

  return {
    get text() {
      return texts.join("");
    },
    get refusal() {
      return refusals.join("");
    },
    get calls() {
      const inOrder = [...calls.entries()].sort(([a], [b]) => a - b);
      return inOrder.map(([place, { id, name, arguments: pieces }]) => ({
        id: id === "" ? `call_${place}` : id,
        type: "function" as const,
        function: { name, arguments: pieces.join("") },
      }));
    },
    get model() {
      return model;
    },
    get finishReason() {
      return finishReason;
    },
    get usage() {
      return usage;
    },
    get overflowed() {
      return chars > MAX_ANSWER_CHARS;
    },
    add(piece) {
      const { said } = piece;
      if (piece.model !== undefined && piece.model.length <= MAX_MODEL_CHARS) model = piece.model;
      if (piece.usage !== undefined) ({ usage } = piece);
      if (piece.finishReason !== undefined) ({ finishReason } = piece);
      const violations = [...piece.violations];
      const text = said?.content ?? "";
      const refusal = said?.refusal ?? "";
      keep(texts, text);
      keep(refusals, refusal);
      for (const call of said?.tool_calls ?? []) violations.push(...addCall(call));
      return { text: chars > MAX_ANSWER_CHARS ? "" : text + refusal, violations };
    },
  };
}

function violation(message: string): Violation {
  return { rule: "openai.tool_calls", message, where: "tool_calls" };
}
