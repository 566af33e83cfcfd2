// A draft as the envelope that is kept and delivered: checked, and everything filled in that its sender left out.
import { hash } from "node:crypto";
import { OPERATOR, type Caller } from "../core/caller.ts";
import { canonicalJson } from "../core/canonical-json.ts";
import type { Envelope, EnvelopeDraft } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import { uuidV7 } from "../core/id.ts";
import { validate } from "../runtime/http/validate.ts";
import { envelopeDraft } from "../runtime/schemas/envelope.ts";
import { plainDraft } from "./plain-draft.ts";
import { parseParty, partyOf, requireParty } from "./party.ts";
import { toMilliseconds } from "./timestamp.ts";
import { traceOf } from "./trace-of.ts";

export interface CompleteOptions {
  nowMs: number;
  caller?: Caller;
  /** True for envelopes of the hub itself, under whatever name. */
  trusted?: true;
}

/** Completes a draft. Throws INVALID_REQUEST, FORBIDDEN. */
export function completeEnvelope(sent: EnvelopeDraft, options: CompleteOptions): Envelope {
  const { nowMs, caller = OPERATOR, trusted } = options;
  // Unknown fields are JSON, because everything that arrives is.
  const draft = plainDraft(sent) ?? (validate(envelopeDraft, sent, "body") as EnvelopeDraft);
  const isChunk = draft.type === "stream_chunk";
  const action = draft.action ?? (isChunk ? "stream_chunk" : undefined);
  if (action === undefined) throw missingAction();
  const from = draft.from ?? partyOf(caller);
  if (trusted !== true) requireParty(caller, from, "from");
  parseParty(draft.to, "to");
  const id = draft.id ?? uuidV7(nowMs);
  // Not a literal that begins with a spread: V8 adds properties to that slowly.
  return Object.assign({}, draft, {
    id,
    from,
    type: isChunk ? "notification" : draft.type,
    action: isChunk ? "stream_chunk" : action,
    payload: draft.payload ?? null,
    trace: traceOf(draft.trace, { from, id }),
    timestamp: draft.timestamp === undefined ? nowMs : toMilliseconds(draft.timestamp),
  });
}

/** Two envelopes with the same fingerprint say the same. When they were written, and in which span, does not matter. */
export function fingerprintOf(envelope: Envelope): string {
  const { trace: _, timestamp: __, hops: ___, ...said } = envelope;
  return hash("sha256", canonicalJson(said), "base64url");
}

function missingAction(): ProctorError {
  const message = "is required";
  return new ProctorError("INVALID_REQUEST", `body field action: ${message}`, {
    details: [{ path: "action", message }],
  });
}
