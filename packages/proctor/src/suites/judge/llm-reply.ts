// The answer of an LLM, read without trusting it: bounded, JSON, with a text in it. Everything else is said clearly.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import type { LlmAnswer } from "../../core/ports/llm.ts";
import { isCount } from "../../core/metrics.ts";
import { printable } from "../../core/printable.ts";
import { parseJson } from "../json/parse-json.ts";
import { cut } from "../texts/words.ts";
import { LlmTrouble, mayRetryStatus, retryAfterMs } from "./llm-retry.ts";

const MAX_REPLY_BYTES = 4 * 1024 * 1024;
const MAX_SHOWN_CHARS = 300;

type Redact = (text: string) => string;

/** Throws LlmTrouble, or the error of reading. `redact` hides the key in what the server says. */
export async function readReply(response: Response, model: string, redact: Redact): Promise<LlmAnswer> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    throw new LlmTrouble(
      `answered with a redirect (HTTP ${status}), and none is followed: give the address it leads to`,
    );
  }
  const text = await readText(response, status);
  if (status < 200 || status >= 300) {
    const said = messageIn(parse(text));
    const waitMs = retryAfterMs(headers);
    throw new LlmTrouble(
      `answered with HTTP ${status}${said === undefined ? "" : `: ${show(said, redact)}`}`,
      {
        mayRetry: mayRetryStatus(status),
        ...(waitMs !== undefined && { waitMs }),
      },
    );
  }
  const type = headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    const shown = type === "" ? "something without a content type" : show(type, redact);
    throw new LlmTrouble(`answered with ${shown}, not with JSON: is its URL right?`);
  }
  const body = parse(text);
  if (!isJsonObject(body)) throw new LlmTrouble("answered with JSON that cannot be read");
  return {
    text: textOf(body, redact),
    model: typeof body["model"] === "string" ? body["model"] : model,
    ...usageOf(body),
  };
}

async function readText({ body }: Response, status: number): Promise<string> {
  if (body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the rest.
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_REPLY_BYTES) {
      throw new LlmTrouble(`answered with HTTP ${status} and more than ${MAX_REPLY_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size).toString("utf8");
}

function textOf(body: JsonObject, redact: Redact): string {
  const { choices } = body;
  const [choice] = Array.isArray(choices) ? choices : [];
  if (choice === undefined) {
    const said = messageIn(body);
    throw new LlmTrouble(`answered without a choice${said === undefined ? "" : `: ${show(said, redact)}`}`);
  }
  const message = isJsonObject(choice) ? choice["message"] : undefined;
  if (!isJsonObject(message)) throw new LlmTrouble("answered with a choice that has no message");
  const text = contentText(message["content"]);
  if (text !== undefined) return text;
  const { refusal } = message;
  if (typeof refusal === "string") throw new LlmTrouble(`refused: ${show(refusal, redact)}`);
  throw new LlmTrouble("answered with a message that has no text");
}

/** The text of a message; some servers send it in parts. */
function contentText(content: Json | undefined): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((part) =>
    isJsonObject(part) && typeof part["text"] === "string" ? [part["text"]] : [],
  );
  return texts.length === 0 ? undefined : texts.join("");
}

function usageOf({ usage }: JsonObject): Pick<LlmAnswer, "inputTokens" | "outputTokens"> {
  if (!isJsonObject(usage)) return {};
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  return {
    ...(isCount(inputTokens) && { inputTokens }),
    ...(isCount(outputTokens) && { outputTokens }),
  };
}

/** The message of an error, in OpenAI's shape or in that of other servers. */
function messageIn(body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const { error, message, detail } = body;
  const inner = isJsonObject(error) ? error["message"] : error;
  return [inner, message, detail].find((value): value is string => typeof value === "string" && value !== "");
}

function parse(text: string): Json | undefined {
  return isTooDeep(text) ? undefined : parseJson(text);
}

/** Redacts before cutting: half a key would not be recognised. */
function show(text: string, redact: Redact): string {
  return cut(printable(redact(text)).replaceAll(/\s+/g, " ").trim(), MAX_SHOWN_CHARS);
}
