// The steps of a test of ACTS as schemas: an operation, a request as it is written, what a client makes of an answer, what arrives at a webhook,
// or an assertion about what came before.
import { z } from "zod";
import { isJsonObject, type Json } from "../../../core/json.ts";
import { dispatch, refused } from "../../../runtime/yaml/findings.ts";
import { OPERATIONS } from "./operations.ts";

/** Longest wait between two requests, in milliseconds. */
const MAX_WAIT_MS = 600_000;
const MAX_ATTEMPTS = 1000;
const MAX_STREAMS = 50;

const text = z.string().min(1);
const count = z.int().min(0);
const waitMs = z.int().min(0).max(MAX_WAIT_MS);
const json = z.custom<Json>((value) => value !== undefined);
/** Fields or operators, each with what is asserted. */
const assertions = z.record(z.string(), json);

const collectionMatch = z.strictObject({ path: text, match: assertions });

const namedShape = {
  id: text.exactOptional(),
  description: z.string().exactOptional(),
  source: text,
  path: text.exactOptional(),
  match: json.exactOptional(),
  any: collectionMatch.exactOptional(),
  all: collectionMatch.exactOptional(),
  none: collectionMatch.exactOptional(),
};
export const namedAssertion = z.strictObject(namedShape).superRefine((assertion, context) => {
  const given = (["match", "any", "all", "none"] as const).filter((name) => assertion[name] !== undefined);
  if (given.length === 1) return;
  context.addIssue({ code: "custom", message: "an assertion has one of match, any, all and none" });
});
export type NamedAssertion = z.infer<typeof namedAssertion>;

const expect = z.strictObject({
  status: json.exactOptional(),
  headers: assertions.exactOptional(),
  body: assertions.exactOptional(),
  // Documents before the corrected ACTS have this key here.
  error: refused('unknown key "error"', "what is refused is expected with expect_error"),
  task: refused('unknown key "task"', "what the answer holds stands in body"),
  message: refused('unknown key "message"', "what the answer holds stands in body"),
});
export type Expect = z.infer<typeof expect>;

const expectError = z.strictObject({
  error_type: json.exactOptional(),
  message: json.exactOptional(),
  details: json.exactOptional(),
  /** The older name of `details`. */
  data: json.exactOptional(),
  code: refused('unknown key "code"', "the name of an error is its error_type"),
});
export type ExpectError = z.infer<typeof expectError>;

const eventAssertion = z
  .looseObject({
    description: z.string().exactOptional(),
    match: z.enum(["exact_position", "any_position"]).exactOptional(),
    index: count.exactOptional(),
  })
  .catchall(json);
export type EventAssertion = z.infer<typeof eventAssertion>;

const oneStream = z.strictObject({
  id: text.exactOptional(),
  description: z.string().exactOptional(),
  disconnect_after: z.int().min(1).exactOptional(),
});

const expectStream = z
  .strictObject({
    min_count: count.exactOptional(),
    max_count: count.exactOptional(),
    timeout_ms: waitMs.exactOptional(),
    ordering: z.enum(["monotonic_state"]).exactOptional(),
    events: z.array(eventAssertion).min(1).exactOptional(),
    final_event: assertions.exactOptional(),
    each_event: assertions.exactOptional(),
    /** Number of streams opened at once, or an entry for each of them. */
    streams: z
      .union([z.int().min(1).max(MAX_STREAMS), z.array(oneStream).min(1).max(MAX_STREAMS)])
      .exactOptional(),
    /** Events after which the client leaves the first stream. */
    disconnect_after: z.int().min(1).exactOptional(),
  })
  .superRefine(({ min_count: least = 0, max_count: most = Infinity }, context) => {
    if (least > most) context.addIssue({ code: "custom", message: "min_count is greater than max_count" });
  });
export type ExpectStream = z.infer<typeof expectStream>;

const repeat = z.strictObject({
  until: text,
  max_attempts: z.int().min(1).max(MAX_ATTEMPTS).exactOptional(),
  delay_ms: waitMs.exactOptional(),
  backoff: z.enum(["none", "linear", "exponential"]).exactOptional(),
});
export type Repeat = z.infer<typeof repeat>;

const every = {
  /** Name of the step in `{{step.name}}`. */
  id: z.string().regex(/^[A-Za-z0-9_][\w-]{0,99}$/, "an id is made of letters, digits, - and _"),
  description: z.string().exactOptional(),
  delay_ms: waitMs.exactOptional(),
  assertions: z.array(namedAssertion).exactOptional(),
};
const answered = {
  expect: expect.exactOptional(),
  expect_error: expectError.exactOptional(),
  expect_stream: expectStream.exactOptional(),
  capture: z.record(z.string().regex(/^[A-Za-z_]\w*$/), text).exactOptional(),
};

const operation = z.strictObject({
  ...every,
  ...answered,
  operation: z.enum(OPERATIONS),
  params: z.record(z.string(), json).exactOptional(),
  repeat: repeat.exactOptional(),
});
const raw = z.strictObject({
  ...every,
  ...answered,
  raw: z
    .strictObject({
      method: z.enum(["GET", "POST", "PUT", "DELETE"]),
      path: z.string().regex(/^\//, "a path begins with /"),
      headers: z.record(z.string(), z.string()).exactOptional(),
      body: json.exactOptional(),
      body_raw: z.string().exactOptional(),
    })
    .superRefine(({ method, body, body_raw: asItIs }, context) => {
      if (body !== undefined && asItIs !== undefined)
        context.addIssue({ code: "custom", message: "a request has either body or body_raw" });
      const hasBody = body !== undefined || asItIs !== undefined;
      if (hasBody && (method === "GET" || method === "DELETE"))
        context.addIssue({ code: "custom", message: `a ${method} request has no body` });
    }),
});
const client = z.strictObject({
  ...every,
  client_response: z.strictObject({ operation: z.enum(OPERATIONS), wire_payload: json }),
  expect_parsed: assertions,
});
const webhook = z.strictObject({
  ...every,
  expect_webhook: z.strictObject({
    task_id: text,
    min_count: z.int().min(1).exactOptional(),
    timeout_ms: waitMs.exactOptional(),
    each_event: assertions.exactOptional(),
    final_event: assertions.exactOptional(),
    headers: assertions.exactOptional(),
    token: json.exactOptional(),
  }),
});
const assertion = z.strictObject({ ...every, assertion: namedAssertion });

/** The kind of a step shows by the key that only this kind has. */
const FORMS = {
  operation: operation.transform((step) => ({ kind: "operation" as const, ...step })),
  raw: raw.transform((step) => ({ kind: "raw" as const, ...step })),
  client_response: client.transform((step) => ({ kind: "client" as const, ...step })),
  expect_webhook: webhook.transform((step) => ({ kind: "webhook" as const, ...step })),
  assertion: assertion.transform((step) => ({ kind: "assertion" as const, ...step })),
};
/** `Object.keys` is typed as string[]. */
const KINDS = Object.keys(FORMS) as (keyof typeof FORMS)[];

export type ActsStep = z.infer<(typeof FORMS)[keyof typeof FORMS]>;
export type StepOf<Kind extends ActsStep["kind"]> = Extract<ActsStep, { kind: Kind }>;

const noStep = z.custom<never>(() => false, { message: `a step has one of ${KINDS.join(", ")}` });

export const stepSchema: z.ZodType<ActsStep> = dispatch<ActsStep>((value) => {
  const given = isJsonObject(value) ? KINDS.filter((kind) => value[kind] !== undefined) : [];
  const [kind] = given;
  return kind === undefined || given.length > 1 ? noStep : FORMS[kind];
});
