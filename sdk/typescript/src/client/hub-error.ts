// What a hub refused, or answered in a way that cannot be understood. What never reached it throws as fetch does.
import { isObject, parseJson } from "../protocol/json.ts";

export class HubError extends Error {
  override readonly name = "HubError";
  /** HTTP status of the answer. */
  readonly status: number;
  /** Code from the hub's catalogue of errors; `BAD_ANSWER` for an answer that is not a hub's. */
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

/** A message of our own has an end; an answer may be anything. */
const MAX_TEXT_CHARS = 500;

/** From an answer that refuses. A proxy on the way may have written it: then its status and its text are all there is. */
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
