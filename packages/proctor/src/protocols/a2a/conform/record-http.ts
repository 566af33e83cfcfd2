// A client over HTTP that remembers what was sent and what came back, as it came.
import type { HttpClient, HttpGet, HttpPost } from "../../../channels/http/client.ts";
import type { Exchange, HttpAnswer } from "../../../channels/http/exchange.ts";
import { namedHeaders, type Transcript } from "./transcript.ts";

/** Bytes of an answer that are kept; what comes after them is read and forgotten. */
const KEPT_BYTES = 256 * 1024;

export interface RecordingClient extends HttpClient {
  /** Exchanges so far, in the order in which they began. */
  readonly transcripts: readonly Transcript[];
}

export function recordHttp(http: HttpClient, hideUrl: (url: URL) => string): RecordingClient {
  const transcripts: Transcript[] = [];

  async function recorded(
    message: HttpGet | HttpPost,
    method: string,
    send: () => Promise<Exchange>,
  ): Promise<Exchange> {
    const startedAt = performance.now();
    const { content } = { content: undefined, ...message };
    const transcript: Transcript = {
      method,
      url: hideUrl(message.url),
      headers: namedHeaders(message.headers),
      ...(content !== undefined && { body: typeof content === "string" ? content : textOf(content) }),
      received: "",
      durationMs: 0,
    };
    transcripts.push(transcript);
    const exchanged = await send();
    transcript.durationMs = performance.now() - startedAt;
    if (exchanged.kind === "failed") {
      transcript.trouble = exchanged.trouble.message;
      return exchanged;
    }
    return { kind: "answered", answer: watched(exchanged.answer, transcript, startedAt) };
  }

  return {
    transcripts,
    post: (message, signal) => recorded(message, message.method ?? "POST", () => http.post(message, signal)),
    get: (message, signal) => recorded(message, message.method ?? "GET", () => http.get(message, signal)),
  };
}

function watched(answer: HttpAnswer, transcript: Transcript, startedAt: number): HttpAnswer {
  const { body, headers, status } = answer;
  const given = Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  transcript.status = status;
  transcript.answered = Object.fromEntries(given) as Record<string, string>;
  const decoder = new TextDecoder();
  let kept = 0;
  return {
    status,
    headers,
    body: {
      async read() {
        const chunk = await body.read();
        transcript.durationMs = performance.now() - startedAt;
        if (chunk === undefined) {
          if (body.trouble) transcript.trouble = body.trouble.message;
          return undefined;
        }
        if (kept < KEPT_BYTES) transcript.received += decoder.decode(chunk, { stream: true });
        kept += chunk.length;
        return chunk;
      },
      get trouble() {
        return body.trouble;
      },
      release: () => body.release(),
      close: () => body.close(),
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
