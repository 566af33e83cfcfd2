// One POST to the model's endpoint. Redirects are not followed, because the key is meant for this address only.
import { describeThrown, LLMError } from "../errors.ts";

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Time limit in milliseconds for the headers, for each piece of a stream, and for a whole answer. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** An answer whose body has not been read yet. The caller must read or close it. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Returns the whole body as text. */
  text(): Promise<string>;
  pieces(): AsyncGenerator<Uint8Array>;
  close(): void;
}

/** Sends the request. Resolves when the headers have arrived. */
export async function post({ url, headers, body, timeoutMs, signal }: PostRequest): Promise<Answer> {
  const target = address(url);
  const stop = new AbortController();
  const give = (): void => stop.abort();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = (): void => clearTimeout(timer);
  const allow = (): void => {
    hold();
    timer = setTimeout(() => stop.abort(TIMEOUT), timeoutMs);
  };
  const close = (): void => {
    hold();
    signal?.removeEventListener("abort", give);
    stop.abort();
  };
  const explain = (error: unknown, what: string): unknown => {
    close();
    if (signal?.aborted === true) return signal.reason;
    if (error instanceof LLMError) return error;
    if (error === TIMEOUT || isTimeout(error))
      return new LLMError("timeout", "the model took too long to answer");
    return new LLMError("network_error", `${what}: ${reasonOf(error)}`);
  };

  signal?.addEventListener("abort", give, { once: true });
  if (signal?.aborted === true) give();
  allow();
  let response: globalThis.Response;
  try {
    response = await fetch(target, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: stop.signal,
    });
  } catch (error) {
    throw explain(error, `${target.origin} cannot be reached`);
  }

  async function* read(onPiece: { before: () => void; after: () => void }): AsyncGenerator<Uint8Array> {
    try {
      onPiece.before();
      for await (const piece of response.body ?? []) {
        onPiece.after();
        yield piece;
        onPiece.before();
      }
    } catch (error) {
      throw explain(error, "the answer broke off");
    } finally {
      close();
    }
  }

  const ignore = (): void => undefined;
  return {
    status: response.status,
    headers: response.headers,
    text: () => whole(read({ before: ignore, after: ignore })),
    pieces: () => read({ before: allow, after: hold }),
    close,
  };
}

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES)
      throw new LLMError("invalid_response", `the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    kept.push(piece);
  }
  return Buffer.concat(kept).toString("utf8");
}

const TIMEOUT = new Error("timeout");

function address(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new LLMError("no_api_url", "LLM_API_URL is not an http or https address");
}

/** Whether `fetch` gave up at a time limit of its own. */
const isTimeout = (error: unknown): boolean => /^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(codeOf(error));

function codeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code: unknown = cause instanceof Error && "code" in cause ? cause.code : "";
  return typeof code === "string" ? code : "";
}

/** Describes the cause of an error, because the message of `fetch` is only "fetch failed". */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? describeThrown(cause) || codeOf(error) : describeThrown(error);
}
