// Errors both ways: the payload of an `error` envelope, and the failure of a run.
import { failure, type Failure } from "../../core/failure.ts";
import { isJsonObject, type Json } from "../../core/json.ts";

const CODE = /^[\w.-]{1,100}$/;
const MAX_MESSAGE_CHARS = 2000;

/** Returns the failure in an agent's error: a text, or an object with `code`, `message` and `details`. */
export function decodeError(payload: Json): Failure {
  if (typeof payload === "string" && payload !== "") return failure("AGENT_FAILED", whole(payload));
  if (!isJsonObject(payload)) return failure("AGENT_FAILED", "the agent sent an error without a reason");
  const { code, message, error, details } = payload;
  const said = [message, error].find((text) => typeof text === "string" && text !== "");
  return {
    code: typeof code === "string" && CODE.test(code) ? code : "AGENT_FAILED",
    message: typeof said === "string" ? whole(said) : "the agent sent an error without a reason",
    ...(isJsonObject(details) && { details }),
  };
}

/** Kept whole or not at all: half a secret would not be recognised. */
function whole(text: string): string {
  return text.length > MAX_MESSAGE_CHARS ? `the agent said why in ${text.length} characters` : text;
}
