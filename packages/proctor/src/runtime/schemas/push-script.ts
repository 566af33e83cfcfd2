// The file of a receiver of push notifications as it is written in YAML. Strict: unknown keys and answers that do nothing are refused.
import { z } from "zod";
import { given } from "../../core/given.ts";
import type { PushScript } from "../../core/push-script.ts";
import { addError } from "../yaml/findings.ts";
import { integerUpTo } from "../yaml/scalars.ts";
import { boundedText } from "./bounded.ts";

const MAX_ENTRIES = 1000;
const MAX_COUNT = 1_000_000;
const MAX_SECONDS = 86_400;
const MAX_DELAY_MS = 600_000;

const text = boundedText(4000);
const url = z
  .string()
  .max(2000)
  .refine((value) => /^https?:/i.test(value) && URL.canParse(value), "write it like https://host/path");

const EFFECTS = ["delay_ms", "never", "cut", "redirect", "status"] as const;

const answer = z
  .strictObject({
    path: z.string().regex(/^\//, "a path begins with /").max(2000).nullish(),
    after: integerUpTo(0, MAX_COUNT).nullish(),
    times: integerUpTo(1, MAX_COUNT).nullish(),
    delay_ms: integerUpTo(0, MAX_DELAY_MS).nullish(),
    never: z.boolean().nullish(),
    cut: z.boolean().nullish(),
    redirect: text.nullish(),
    status: integerUpTo(200, 599).nullish(),
    retry_after: integerUpTo(0, MAX_SECONDS).nullish(),
  })
  .superRefine((value, context) => {
    if (EFFECTS.some((key) => value[key] != null)) return;
    addError(context, new Error(`this answer does nothing\ngive it one of: ${EFFECTS.join(", ")}`));
  });

/** The answers alone, which can be sent to a running receiver. */
export const pushAnswersSchema = z.array(answer.transform((value) => given(value))).max(MAX_ENTRIES);

export const pushScriptSchema: z.ZodType<PushScript> = z
  .strictObject({
    name: z.string().nullish(),
    status: integerUpTo(200, 299).nullish(),
    answers: pushAnswersSchema.nullish(),
    verify: z
      .strictObject({
        token: text.nullish(),
        authorization: text.nullish(),
        secret: text.nullish(),
        tolerance_seconds: integerUpTo(0, MAX_SECONDS).nullish(),
        jwt: z
          .strictObject({ jwks_url: url, issuer: text.nullish(), audience: text.nullish() })
          .transform((value) => given(value))
          .nullish(),
      })
      .transform((value) => given(value))
      .nullish(),
    refuse_unverified: z.boolean().nullish(),
  })
  .transform((value) => given(value));
