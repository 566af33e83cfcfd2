// Brings an envelope to an agent's URL. What it answers with are envelopes of its own; that it is silent is an answer, too.
import { createHttpClient, type HttpClient } from "../../channels/http/client.ts";
import { readBody } from "../../channels/http/read-body.ts";
import type { EnvelopeDraft } from "../../core/envelope.ts";
import type { Delivered, DeliverEnvelope } from "../../core/ports/deliver-envelope.ts";
import type { ConnectGuard } from "../../runtime/addresses/connect-guard.ts";
import { parseAny } from "../http-refusal.ts";
import { postEnvelope } from "./http-request.ts";
import { isEnvelopeLike } from "./read-envelopes.ts";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Milliseconds that the whole exchange may take. */
const TIMEOUT_MS = 30_000;
/** Statuses of refusals that may pass with time. */
const PASSING = new Set([408, 409, 423, 425, 429]);

/** `guard` holds the agents that were registered to public addresses; those of the hub's operator are reached at any address. */
export function createDeliver(guard?: ConnectGuard): DeliverEnvelope {
  const own = createHttpClient();
  const guarded: HttpClient = guard ? createHttpClient({ guard }) : own;
  return async ({ spec, registered }, envelope, signal): Promise<Delivered> => {
    const client = registered ? guarded : own;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const posted = await postEnvelope({ client, spec, canWait: true }, envelope, limit);
    if ("failed" in posted)
      return { trouble: posted.failed.message, refused: posted.failed.code === "INVALID_REQUEST" };
    const { status, body } = posted.answer;
    const { bytes, trouble } = await readBody(body, MAX_BODY_BYTES);
    if (status >= 200 && status < 300 && !trouble) return { replies: repliesIn(bytes.toString()) };
    const isFinal = status >= 300 && status < 500 && !PASSING.has(status);
    return { trouble: trouble ? trouble.message : `it answered ${status}`, refused: isFinal };
  };
}

function repliesIn(text: string): EnvelopeDraft[] {
  const value = parseAny(text);
  return (Array.isArray(value) ? value : [value]).filter(isEnvelopeLike);
}
