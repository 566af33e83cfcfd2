import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../core/json.ts";
import { decodeChunk, decodeCompletion, type Piece } from "./codec.ts";
import { saidError } from "./errors.ts";
import { openaiChunk, openaiCompletion } from "./wire.ts";

const corpus = new URL("./corpus/", import.meta.url);
const SCHEMAS = { chunk: openaiChunk, completion: openaiCompletion };

describe("corpus/: messages of chat completions", () => {
  it.each(filesIn("").filter((file) => !file.startsWith("error-")))(
    "%s is what its schema says, and nothing of it is lost",
    (file) => {
      const message = read(file);
      expect(SCHEMAS[kindOf(file)].parse(message)).toEqual(message);
      const { violations, unusable, error } = decode(file, message);
      expect([violations, unusable, error]).toEqual([[], undefined, undefined]);
    },
  );

  it.each(filesIn("error-"))("%s is an error, wherever it comes", (file) => {
    const message = read(file);
    for (const piece of [decodeChunk(message), decodeCompletion(message)]) {
      expect(piece.violations).toEqual([]);
      expect(saidError(piece.error).message).toMatch(/\w/);
    }
  });

  it("says what was said, called and used", () => {
    expect(decode("chunk-text.json", read("chunk-text.json"))).toMatchObject({ said: { content: "Hello" } });
    expect(decode("chunk-usage-openrouter.json", read("chunk-usage-openrouter.json"))).toMatchObject({
      usage: { prompt_tokens: 19, completion_tokens: 10, cost: 0.00014 },
    });
    expect(decode("completion-tool-calls.json", read("completion-tool-calls.json"))).toMatchObject({
      finishReason: "tool_calls",
      said: { tool_calls: [{ id: "call_abc123", function: { name: "get_current_weather" } }] },
    });
  });
});

describe("corpus/invalid/: messages that no chat completion is", () => {
  it.each(filesIn("", "invalid/"))("%s, by its rule and at its place", (file) => {
    const { rule, where, message } = read(`invalid/${file}`) as JsonObject & { message: Json };
    const { violations, unusable } = decode(file, message);
    expect(violations).toMatchObject([{ rule, where }]);
    // What a request used is looked at by itself.
    expect(unusable === true).toBe(rule !== "openai.usage");
  });
});

function decode(file: string, message: Json): Piece {
  return kindOf(file) === "chunk" ? decodeChunk(message) : decodeCompletion(message);
}

function filesIn(prefix: string, folder = "./"): string[] {
  return readdirSync(new URL(folder, corpus)).filter(
    (file) => file.endsWith(".json") && file.startsWith(prefix),
  );
}

function kindOf(file: string): keyof typeof SCHEMAS {
  return file.startsWith("chunk") ? "chunk" : "completion";
}

function read(file: string): Json {
  return JSON.parse(readFileSync(new URL(file, corpus), "utf8")) as Json;
}
