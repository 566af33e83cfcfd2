// What workers without the database and their hub say to each other.
import { z } from "zod";
import { EVENT_TYPES } from "../../core/event-types.ts";
import type { EventType } from "../../core/event.ts";
import { isUuid } from "../../core/id.ts";
import { LABEL, MAX_LABELS } from "../../core/labels.ts";
import { boundedInt } from "../../runtime/schemas/bounded.ts";
import { JsonRecord, MAX_SEQUENCE } from "./common.ts";
import { FailureDocument, RunDocument } from "./run.ts";

/** The latest time that a date can say, in epoch milliseconds. */
const MAX_TIME = 8_640_000_000_000_000;
const MAX_HELD = 10_000;

const Labels = z.array(z.string().regex(LABEL)).max(MAX_LABELS);
const Sequence = boundedInt(-1, MAX_SEQUENCE);
const Ticket = z.string().max(4096).describe("What the hub signed when it gave the run.");
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, "expected a sha256 in lower-case hex");
const RunId = z.string().refine(isUuid, "expected the id of a run");

const Held = z
  .array(z.strictObject({ ticket: Ticket, sequence: Sequence.describe("The last that the worker knows.") }))
  .max(MAX_HELD)
  .describe("The runs that the worker is at work on.");

const NewsList = z
  .array(z.strictObject({ run_id: z.string(), sequence: Sequence }))
  .describe("Runs whose logs have grown, and how far.");

export const BeatBody = z
  .strictObject({
    version: z.string().max(100),
    labels: Labels,
    slots: boundedInt(0, 100_000),
    busy: boundedInt(0, 100_000),
    draining: z.boolean(),
    no_room: z.string().max(500).exactOptional().describe("Why it takes no run now: its disk is full."),
    started_at: z.iso.datetime(),
    held: Held,
  })
  .meta({ id: "WorkBeat" });

export const BeatAnswer = z
  .strictObject({
    worker: z.string().describe("How runs and operators name the worker."),
    drain: z.boolean().describe("An operator asked it to take no more runs."),
    lost: z.array(z.string()).describe("Runs that somebody else has: stop them, and write nothing more."),
    news: NewsList,
    beat_every_ms: z.int(),
    lease_ms: z.int().describe("After this long without a beat, the worker has lost its runs."),
  })
  .meta({ id: "WorkBeatAnswer" });

export const ClaimBody = z
  .strictObject({
    limit: boundedInt(1, 1000).describe("How many runs there is room for."),
    labels: Labels,
  })
  .meta({ id: "WorkClaim" });

const Opened = z
  .strictObject({ text: z.string().nullable().describe("Null where the key that sealed it is gone.") })
  .nullable();

export const GivenRuns = z
  .strictObject({
    items: z.array(
      z.strictObject({
        ticket: Ticket,
        run: RunDocument,
        spec: JsonRecord.describe("The agent, its secrets masked."),
        fence: z.int(),
        sequence: Sequence.describe("The last of its log."),
        talk: JsonRecord.optional().describe("What it has said and asked so far."),
        sealed: Opened.describe("Its secrets, opened."),
        continuation: Opened.describe("The driver's way to go on, opened."),
      }),
    ),
  })
  .meta({ id: "WorkGiven" });

export const ListenBody = z
  .strictObject({
    held: Held,
    labels: Labels,
    free: z.boolean().describe("There is room for a run: what waits already counts."),
    wait_ms: boundedInt(0, 25_000).describe("How long to wait."),
  })
  .meta({ id: "WorkListen" });

export const ListenAnswer = z
  .strictObject({
    waiting: z.boolean().describe("Something waits: claim it."),
    news: NewsList,
  })
  .meta({ id: "WorkNews" });

const known = new Set(EVENT_TYPES);
const Type = z.custom<EventType>(
  (value) => typeof value === "string" && known.has(value),
  "expected a type of events",
);

const eventFields = {
  timestamp: boundedInt(0, MAX_TIME).describe("Epoch milliseconds."),
  type: Type.meta({ type: "string" }),
  payload: z.string().describe("JSON, exactly as the log has it."),
  origin: z.string().nullable().describe("JSON: what the agent's message said about itself."),
};

export const AppendBody = z
  .strictObject({
    after: Sequence.describe(
      "The last sequence that the worker knows: what stands behind it is not written twice.",
    ),
    events: z.array(z.strictObject(eventFields)).max(20_000),
    receipts: z
      .record(Sha256, z.string().max(100))
      .optional()
      .describe("For bytes that the events record: what the hub answered when it got them, by sha256."),
    continuation: z.string().optional().describe("The driver's way to go on, which the hub seals."),
    successor: z
      .strictObject({ id: RunId, not_before: boundedInt(0, MAX_TIME) })
      .optional()
      .describe("The next attempt, which the hub makes of this one."),
  })
  .meta({ id: "WorkAppend" });

export const AppendAnswer = z
  .strictObject({ last_sequence: Sequence })
  .meta({ id: "WorkAppended", description: "Where the events end in the log." });

export const ReadBody = z
  .strictObject({
    of: RunId.optional().describe("A run that this one goes on from; the run itself when absent."),
  })
  .meta({ id: "WorkRead" });

export const ReadAnswer = z
  .strictObject({ run: RunDocument, sealed: Opened, continuation: Opened })
  .meta({ id: "WorkRun" });

export const EventsBody = ReadBody.extend({ after: Sequence, limit: boundedInt(1, 1000) }).meta({
  id: "WorkEventsOf",
});

export const EventsAnswer = z
  .strictObject({ items: z.array(z.strictObject({ sequence: Sequence, ...eventFields })) })
  .meta({ id: "WorkEvents" });

export const UsedUpAnswer = z
  .strictObject({ failure: FailureDocument.nullable().describe("Why nothing more may be spent.") })
  .meta({ id: "WorkBudget" });

export const StoredBlob = z
  .strictObject({
    sha256: z.string(),
    size_bytes: z.int(),
    receipt: z.string().describe("Lets the worker record the bytes in the log of the run."),
  })
  .meta({ id: "WorkBlob" });
