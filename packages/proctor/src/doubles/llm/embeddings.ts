// POST /v1/embeddings: a vector of length one for every text, made from a hash of it. Equal texts have equal vectors,
// others nearly orthogonal ones; the script has no say.
import { hash } from "node:crypto";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Endpoint } from "./endpoint.ts";
import { readModel, wrong } from "./read-chat.ts";
import { estimateTokens } from "./tokens.ts";

const DEFAULT_DIMENSIONS = 1536;
const MAX_DIMENSIONS = 3072;
const MAX_TEXTS = 2048;
const MAX_NUMBERS = 4_000_000;

export function createEmbeddings(script: { model?: string }): Endpoint {
  return async (body) => {
    const model = readModel(body);
    const texts = readInput(body["input"]);
    const dimensions = readDimensions(body["dimensions"]);
    const isBase64 = readFormat(body["encoding_format"]) === "base64";
    if (texts.length * dimensions > MAX_NUMBERS) throw wrong("input", "makes too many numbers at once");
    const data = texts.map((text, index): JsonObject => {
      const vector = embed(text, dimensions);
      const embedding = isBase64 ? Buffer.from(vector.buffer).toString("base64") : [...vector];
      return { object: "embedding", index, embedding };
    });
    const tokens = estimateTokens(texts.reduce((sum, text) => sum + text.length, 0));
    const usage = { prompt_tokens: tokens, total_tokens: tokens };
    return {
      entry: { model, stream: false, answer: null, status: 200, prompt_tokens: tokens, completion_tokens: 0 },
      reply: { status: 200, body: { object: "list", data, model: script.model ?? model, usage } },
    };
  };
}

function embed(text: string, dimensions: number): Float32Array {
  const random = seeded(Number.parseInt(hash("sha256", text, "hex").slice(0, 8), 16));
  const vector = Float32Array.from({ length: dimensions }, () => random() * 2 - 1);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Returns a generator of numbers from 0 to 1, the same for the same seed: a scrambled counter (splitmix32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Reads the input: texts or lists of tokens, one or many. */
function readInput(input: Json | undefined): string[] {
  const isText = (value: Json): boolean => typeof value === "string" && value !== "";
  const isTokens = (value: Json): boolean =>
    Array.isArray(value) && value.length > 0 && value.every((token) => Number.isInteger(token));
  if (input !== undefined && (isText(input) || isTokens(input))) return [spell(input)];
  if (!Array.isArray(input) || input.length === 0 || !(input.every(isText) || input.every(isTokens))) {
    throw wrong("input", "must be text, a list of texts, or tokens");
  }
  if (input.length > MAX_TEXTS) throw wrong("input", `has more than ${MAX_TEXTS} texts`);
  return input.map(spell);
}

function spell(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readDimensions(value: Json | undefined): number {
  if (value == null) return DEFAULT_DIMENSIONS;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_DIMENSIONS)
    return value;
  throw wrong("dimensions", `must be a whole number from 1 to ${MAX_DIMENSIONS}`);
}

function readFormat(value: Json | undefined): "float" | "base64" {
  if (value == null || value === "float") return "float";
  if (value === "base64") return value;
  throw wrong("encoding_format", "must be float or base64");
}
