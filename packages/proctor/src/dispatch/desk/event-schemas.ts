// What the payloads of a worker's events must contain for a log to be folded and read: the rest is left to the worker.
import { z } from "zod";
import type { EventType } from "../../core/event.ts";
import { TERMINAL_STATUSES } from "../../core/run.ts";

const text = z.string();
const named = z.looseObject({ id: text });
const parts = z.array(z.looseObject({ kind: text }));

export const EVENT_SCHEMAS: Partial<Record<EventType, z.ZodType>> = {
  "run.ended": z.looseObject({
    status: z.enum(TERMINAL_STATUSES),
    failure: z.looseObject({ code: text, message: text }).optional(),
    metrics: z.looseObject({}).optional(),
    retried_as: text.optional(),
  }),
  "artifact.added": z.looseObject({
    artifact: z.discriminatedUnion("type", [
      artifact("file", "path"),
      artifact("reference", "path"),
      artifact("structured", "name"),
    ]),
  }),
  "question.asked": z.looseObject({
    question: z.looseObject({
      id: text,
      kind: text,
      parts,
      blocking: z.boolean(),
      audience: text,
      expires_at: z.iso.datetime(),
    }),
  }),
  // Where the options of the run answer for the client.
  "question.answered": z.looseObject({ id: text, answer: z.looseObject({ id: text, outcome: text }) }),
  "question.withdrawn": named,
  "question.expired": named,
  "question.delivered": named,
  "message.added": z.looseObject({ message: z.looseObject({ id: text, role: z.literal("agent"), parts }) }),
  "message.opened": named,
  "message.extended": z.looseObject({ id: text, part: z.int().min(0), text }),
  "message.closed": z.looseObject({ id: text, chars: z.int().min(0), sha256: text, parts }),
  "message.delivered": named,
  "session.opened": z.looseObject({ protocol: text }),
  "session.parked": z.looseObject({ check_at: z.iso.datetime().optional() }),
  "artifact.opened": z.looseObject({ id: text, name: text }),
  "artifact.extended": z.looseObject({ id: text, size_bytes: z.int().min(0) }),
  "tool.called": z.looseObject({ tool: text }),
  violation: z.looseObject({ rule: text, message: text }),
  log: z.looseObject({ stream: text, text }),
};

function artifact<T extends string>(type: T, name: "path" | "name") {
  return z.looseObject({
    type: z.literal(type),
    id: z.string().max(100),
    [name]: text,
    size_bytes: z.int().min(0).optional(),
    content_hash: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/)
      .optional(),
  });
}
