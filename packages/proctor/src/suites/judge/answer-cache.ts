// Answers of a judge on disk, each in a file named after what was asked. It may be deleted at any time, and nothing in it is
// trusted: an entry that cannot be read counts as none.
import { createHash, randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { canonicalJson } from "../../core/canonical-json.ts";
import type { Json } from "../../core/json.ts";
import type { LlmAnswer } from "../../core/ports/llm.ts";
import { readText } from "../../runtime/yaml/read-text.ts";

export interface AnswerCache {
  /** Undefined when there is none. Never throws. */
  find(question: Json): Promise<LlmAnswer | undefined>;
  /** Never throws: what is not kept is asked again. */
  keep(question: Json, answer: LlmAnswer): Promise<void>;
}

/** Another version asks in other words, and gets other answers. */
const VERSION = 1;

const tokens = z.int().nonnegative().optional();
const entry = z.object({ text: z.string(), model: z.string(), input_tokens: tokens, output_tokens: tokens });

/** `scope`: whose answers they are. Models of the same name at two addresses are two models. */
export function createAnswerCache(folder: string, scope: string): AnswerCache {
  const placeOf = (question: Json): { shard: string; file: string } => {
    const text = canonicalJson([VERSION, scope, question]);
    const hash = createHash("sha256").update(text).digest("hex");
    const shard = join(folder, hash.slice(0, 2));
    return { shard, file: join(shard, `${hash}.json`) };
  };
  return {
    async find(question) {
      try {
        const parsed = entry.parse(JSON.parse(await readText(placeOf(question).file)));
        const { text, model, input_tokens: inputTokens, output_tokens: outputTokens } = parsed;
        return {
          text,
          model,
          ...(inputTokens !== undefined && { inputTokens }),
          ...(outputTokens !== undefined && { outputTokens }),
        };
      } catch {
        return undefined;
      }
    },
    async keep(question, { text, model, inputTokens, outputTokens }) {
      const { shard, file } = placeOf(question);
      // Whole or not at all, also when two processes keep the same.
      const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
      const document = { text, model, input_tokens: inputTokens, output_tokens: outputTokens };
      try {
        await mkdir(shard, { recursive: true });
        await writeFile(temporary, JSON.stringify(document), { flag: "wx", mode: 0o600 });
        await rename(temporary, file);
      } catch {
        await rm(temporary, { force: true }).catch(() => undefined);
      }
    },
  };
}
