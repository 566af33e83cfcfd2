// One attempt to deliver one batch: the request, the answer, and what the answer means (OTLP specification, "OTLP/HTTP
// Response"). Never throws; the exporter decides whether to try again.
import { retryAfter } from "./retry-after.ts";

export type Delivery =
  | { kind: "accepted"; rejected: number; message?: string }
  /** Whether to try again, after this delay if the collector named one. */
  | { kind: "unavailable"; trouble: string; next: string; afterMs?: number }
  | { kind: "refused"; trouble: string; next: string };

interface PostTraces {
  url: URL;
  headers: Record<string, string>;
  /** The request body as gzipped JSON. */
  body: Uint8Array<ArrayBuffer>;
  timeoutMs: number;
  fetch: typeof fetch;
  now: () => number;
}

const RETRYABLE = new Set([429, 502, 503, 504]);
/** Bytes of the largest answer that is read, the limit that the specification recommends. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const START_COLLECTOR = "start a collector there, or change the address";

export async function postTraces(request: PostTraces, signal: AbortSignal): Promise<Delivery> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  try {
    const answer = await request.fetch(request.url, {
      method: "POST",
      headers: {
        ...request.headers,
        "content-type": "application/json",
        "content-encoding": "gzip",
        accept: "application/json",
      },
      body: request.body,
      // A redirect would carry the headers, and the key in them, to another server.
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    return judge(answer, await readText(answer), request.now());
  } catch (error) {
    const trouble = signal.aborted
      ? "did not answer in time"
      : timeout.aborted
        ? `did not answer within ${request.timeoutMs / 1000} s`
        : connectTrouble(error);
    return { kind: "unavailable", trouble, next: START_COLLECTOR };
  }
}

function judge(answer: Response, text: string | undefined, nowMs: number): Delivery {
  const { status } = answer;
  if (status >= 200 && status < 300) {
    if (text !== undefined) return { kind: "accepted", ...partialSuccess(text) };
    return {
      kind: "refused",
      trouble: "answered with more than 4 MiB",
      next: "check that it is a collector",
    };
  }
  if (status >= 300 && status < 400) {
    const trouble = `redirects (${status}), which is not followed`;
    return { kind: "refused", trouble, next: "give the address that it redirects to" };
  }
  const said = statusMessageOf(text);
  const trouble = `answered ${status}${said === "" ? "" : `: ${said}`}`;
  if (!RETRYABLE.has(status)) return { kind: "refused", trouble, next: ADVICE[status] ?? "see its log" };
  const afterMs = retryAfter(answer.headers.get("retry-after"), nowMs);
  const next = "see its log and its limits";
  return { kind: "unavailable", trouble, next, ...(afterMs !== undefined && { afterMs }) };
}

const ADVICE: Record<number, string> = {
  400: "it may not take OTLP in JSON",
  401: "check the headers that carry the key",
  403: "check the headers that carry the key",
  404: "check the path; OTLP's own is /v1/traces",
  405: "check the path; OTLP's own is /v1/traces",
  413: "send smaller batches, or raise its limit",
  415: "it does not take OTLP in JSON; choose one that does",
};

/** Returns undefined when the answer is larger than the limit. */
async function readText(answer: Response): Promise<string | undefined> {
  if (answer.body === null) return "";
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  // Leaving the loop cancels the body, and with it the connection.
  for await (const chunk of answer.body) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > MAX_ANSWER_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Not every collector answers in JSON; then a 200 says all there is to know. */
function partialSuccess(text: string): { rejected: number; message?: string } {
  const answer = parse(text);
  const partial = field(answer, "partialSuccess") ?? field(answer, "partial_success");
  const rejected = Number(field(partial, "rejectedSpans") ?? field(partial, "rejected_spans") ?? 0);
  const message = field(partial, "errorMessage") ?? field(partial, "error_message");
  return {
    rejected: Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0,
    ...(typeof message === "string" && message !== "" && { message }),
  };
}

/** Returns the message of a google.rpc.Status in JSON, or the text that was answered instead. */
function statusMessageOf(text = ""): string {
  const message = field(parse(text), "message");
  return typeof message === "string" ? message : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function field(value: unknown, name: string): unknown {
  // Checked to be an object; the values stay unknown.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const CONNECT_FAILURES: Record<string, string> = {
  ECONNREFUSED: "refused the connection",
  ENOTFOUND: "has a name that nobody knows",
  EAI_AGAIN: "has a name that cannot be looked up now",
  ECONNRESET: "broke off the connection",
  UND_ERR_SOCKET: "broke off the connection",
  UND_ERR_CONNECT_TIMEOUT: "did not accept the connection in time",
};

function connectTrouble(error: unknown): string {
  const code = field(field(error, "cause"), "code") ?? field(error, "code");
  if (typeof code !== "string") return "cannot be reached";
  return CONNECT_FAILURES[code] ?? `cannot be reached (${code})`;
}
