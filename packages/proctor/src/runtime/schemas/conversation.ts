// What happens to the questions of a run, as requests and files say it. The types are core's.
import { z } from "zod";
import { MAX_NOTIFIED, POLICY_NAMES } from "../../core/conversation-options.ts";
import { MAX_EXPIRY_SECONDS, QUESTION_KINDS } from "../../core/question.ts";
import { boundedInt, boundedText } from "./bounded.ts";

const policyName = z.enum(POLICY_NAMES);
const anyJson = z.unknown().refine((value) => value !== undefined, "is required");
const policy = z.union([policyName, z.strictObject({ answer: anyJson })]);
const silence = z.union([z.enum(["allow", "deny"]), z.strictObject({ answer: anyJson })]);
const pattern = boundedText(1000);

/** The options are stored and shown: a credential in them would be, too. */
const NO_CREDENTIALS = "credentials are not written into options; answer the question when it is asked";

const policies = z.strictObject({
  input: policy.exactOptional(),
  form: policy.exactOptional(),
  permission: policy.exactOptional(),
  approval: policy.exactOptional(),
  auth: policy.refine((value) => typeof value === "string", NO_CREDENTIALS).exactOptional(),
});

const rule = z
  .strictObject({
    kind: z.enum(QUESTION_KINDS).exactOptional(),
    tool: pattern
      .exactOptional()
      .describe("The tool that the question is about; `*` stands for any characters."),
    path: pattern
      .exactOptional()
      .describe("A path that the question is about; `*` and `**` as in file patterns."),
    text: pattern.exactOptional().describe("A text that the question contains."),
    policy,
  })
  .refine(({ kind, policy: chosen }) => kind !== "auth" || typeof chosen === "string", {
    path: ["policy"],
    message: NO_CREDENTIALS,
  });

export const conversationSchema = z.strictObject({
  policy: policies
    .exactOptional()
    .describe(
      "By kind of question, `ask` where a kind is not named: `ask` any client, `ask_human`, `simulate` (only a simulated user answers), `allow`, `deny`, or `{answer}`.",
    ),
  rules: z
    .array(rule)
    .max(100)
    .exactOptional()
    .describe("Looked at before `policy`; the first rule that fits decides."),
  expires_seconds: boundedInt(1, MAX_EXPIRY_SECONDS)
    .exactOptional()
    .describe("Seconds until a question expires that says nothing about it; 3600 when absent."),
  silence: z
    .strictObject({
      input: silence.exactOptional(),
      form: silence.exactOptional(),
      permission: silence.exactOptional(),
      approval: silence.exactOptional(),
    })
    .exactOptional()
    .describe(
      "By kind of question, how it is answered once its time is over and nobody has: `allow`, `deny` or `{answer}`.",
    ),
  notify: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^user:[^\s\p{Cc}]+$/u, "must be user:<id>"),
    )
    .max(MAX_NOTIFIED)
    .exactOptional()
    .describe(
      "People (`user:ada`) who get an envelope for each question that a person may answer, and may answer by one.",
    ),
});
