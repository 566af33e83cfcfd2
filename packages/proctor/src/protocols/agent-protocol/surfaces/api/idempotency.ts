// `Idempotency-Key`: a request that is repeated is done once.
import { createHash } from "node:crypto";
import { wrongField } from "./read-fields.ts";

const MAX_KEY_CHARS = 255;

export function readKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key !== "" && key.length <= MAX_KEY_CHARS) return key;
  throw wrongField("Idempotency-Key", `must have 1 to ${MAX_KEY_CHARS} characters`);
}

/** The same for the same task and key: where a step with it exists, it was this request that made it. A UUID of version 8. */
export function stepIdOf(task: string, key: string): string {
  const hex = createHash("sha256").update(`${task}\0${key}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
