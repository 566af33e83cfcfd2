// The envelope and the documents around it, as they travel. Document 004, section 2.1; the envelope itself is runtime/schemas/envelope.ts,
// because inboxes check it, too.
import { z } from "zod";
import { ENVELOPE_TYPES } from "../../core/envelope.ts";
import { ERRORS, type ErrorCode } from "../../core/errors.ts";
import { MAX_PAGE_LIMIT } from "../../core/page.ts";
import { envelopeDraft } from "../../runtime/schemas/envelope.ts";

/** Largest position: fifteen digits stay exact. */
const MAX_POSITION = 999_999_999_999_999;
export const MAX_BATCH = 100;
const MAX_WAIT_SECONDS = 60;

export const DraftBody = envelopeDraft.meta({
  id: "EnvelopeDraft",
  description: "An envelope as it is sent: document 004, section 2.1. Unknown fields are kept.",
});

const EnvelopeDocument = envelopeDraft
  .extend({
    id: z.string(),
    from: z.string(),
    type: z.enum(ENVELOPE_TYPES),
    action: z.string(),
    payload: z.unknown(),
    trace: z.looseObject({ traceId: z.string(), spanId: z.string(), parentId: z.string().exactOptional() }),
    timestamp: z.number().describe("Epoch milliseconds."),
  })
  .meta({ id: "Envelope", description: "An envelope with everything filled in." });

const party = z.string().min(1).max(200);
const position = z.int().min(0).max(MAX_POSITION);

export const SentDocument = z
  .strictObject({
    id: z.string(),
    from: z.string().describe("Who it is from, and whose inbox gets the answer."),
    receiver: z.string().describe("Whose inbox it is in; `hub` where the hub carries it out."),
    created: z.boolean().describe("False for one that was sent before."),
    run_id: z.string().exactOptional().describe("The run that carries it out."),
  })
  .meta({ id: "SentEnvelope" });

// The catalogue's keys, as the tuple that an enum needs.
const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export const RefusedDocument = z
  .strictObject({
    id: z.string().nullable().describe("The envelope's id, where it has one."),
    error: z.strictObject({ code: z.enum(codes), message: z.string(), details: z.unknown().optional() }),
  })
  .meta({ id: "RefusedEnvelope" });

export const SendBody = z.union([DraftBody, z.array(DraftBody).min(1).max(MAX_BATCH)]);
export const SendAnswer = z.union([
  SentDocument,
  z.strictObject({ items: z.array(z.union([SentDocument, RefusedDocument])) }),
]);

export const EntryDocument = z
  .strictObject({
    position: z.int().describe("The place in the inbox, which grows; acknowledge up to it."),
    envelope: EnvelopeDocument,
    deliveries: z.int().describe("How often it was handed out, this time included."),
  })
  .meta({ id: "InboxEntry" });

export const EntryList = z.strictObject({ items: z.array(EntryDocument) }).meta({ id: "InboxEntries" });

export const ReceiveQuery = z.strictObject({
  for: party.describe("Whose inbox: an agent's name or `user:<id>`."),
  after: position.optional().describe("Acknowledges everything up to this position."),
  wait: z
    .int()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .optional()
    .describe("Seconds to wait while there is nothing; 0 when absent."),
  limit: z.int().min(1).max(MAX_PAGE_LIMIT).optional().describe("How many at most; 100 when absent."),
  access_token: z.string().optional().describe("The bearer token, where headers cannot be sent."),
});

export const SocketQuery = ReceiveQuery.pick({ for: true, after: true, access_token: true });

export const AckBody = z
  .strictObject({
    for: party,
    up_to: position.describe("Position of the last entry that needs not come again."),
  })
  .meta({ id: "Acknowledgement" });

const pageQuery = {
  cursor: z.string().min(1).max(2000).optional().describe("`next_cursor` of the page before."),
  limit: z.int().min(1).max(MAX_PAGE_LIMIT).optional(),
};

export const InboxesQuery = z.strictObject(pageQuery);
export const DeadQuery = z.strictObject({ ...pageQuery, receiver: party.optional() });

export const InboxList = z
  .strictObject({
    items: z.array(
      z.strictObject({
        receiver: z.string(),
        waiting: z.int(),
        bytes: z.int(),
        oldest_at: z.string().nullable(),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: "Inboxes" });

export const DeadList = z
  .strictObject({
    items: z.array(
      z.strictObject({
        position: z.int(),
        receiver: z.string(),
        reason: z.string().describe("`expired`, `full`, `undeliverable` or `dropped`."),
        at: z.string(),
        envelope: EnvelopeDocument,
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: "DeadLetters" });

/** Frame that a client sends over a WebSocket in addition to envelopes. */
export const SocketAck = z.strictObject({ ack: position }).meta({ id: "SocketAcknowledgement" });
