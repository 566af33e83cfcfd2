// The error of a request that a hub refused, or answered in a way that cannot be understood. A request that never reached the hub
// throws what `fetch` throws.
import { isObject, parseJson } from "../protocol/json.ts";

export class HubError extends Error {
  override readonly name = "HubError";
  /** HTTP status of the answer. */
  readonly status: number;
  /** Code from the hub's catalogue of errors; `BAD_ANSWER` when no hub would answer like that. */
  readonly code: string;
  readonly details: unknown;
  /** Id of the request in the hub's log. */
  readonly traceId: string | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    rest: { details?: unknown; traceId?: string; cause?: unknown } = {},
  ) {
    super(message, rest.cause === undefined ? {} : { cause: rest.cause });
    this.status = status;
    this.code = code;
    this.details = rest.details;
    this.traceId = rest.traceId;
  }
}

/** Characters of an answer that are quoted in a message; an answer may be of any length. */
const MAX_TEXT_CHARS = 500;

/** Reads the error from an answer. When a proxy on the way wrote the answer, its status and text are all that is known. */
export async function refusal(response: Response): Promise<HubError> {
  const text = await response.text().catch(() => "");
  const traceId = response.headers.get("x-trace-id");
  const rest = traceId === null ? {} : { traceId };
  const body = parsed(text);
  if (isObject(body) && typeof body["message"] === "string") {
    const code = typeof body["code"] === "string" ? body["code"] : "BAD_ANSWER";
    return new HubError(response.status, code, body["message"], { ...rest, details: body["details"] });
  }
  const message = `the hub answered ${response.status} ${text.slice(0, MAX_TEXT_CHARS)}`.trim();
  return new HubError(response.status, "BAD_ANSWER", message, rest);
}

export function badAnswer(response: Response, what: string, cause?: unknown): HubError {
  return new HubError(
    response.status,
    "BAD_ANSWER",
    `${what}\nis ${response.url || "this"} the address of a hub?`,
    { cause },
  );
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
