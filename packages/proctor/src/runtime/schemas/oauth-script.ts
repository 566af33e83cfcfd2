// The file of a mock OAuth server as it is written in YAML. Strict: unknown keys, clients that appear twice, users and scopes that do not exist
// are refused.
import { z } from "zod";
import { given } from "../../core/given.ts";
import {
  DEVICE_ANSWERS,
  OAUTH_ALGORITHMS,
  OAUTH_ENDPOINTS,
  OAUTH_GRANTS,
  TOKEN_FAULTS,
  type OAuthScript,
} from "../../core/oauth-script.ts";
import { quote } from "../../core/printable.ts";
import { addError } from "../yaml/findings.ts";
import { integerUpTo, json } from "../yaml/scalars.ts";
import { boundedText } from "./bounded.ts";

const MAX_ENTRIES = 1000;
const MAX_SECONDS = 31_536_000;
const MAX_DELAY_MS = 600_000;

const text = boundedText(1000);
const seconds = integerUpTo(0, MAX_SECONDS);
const count = integerUpTo(0, 1_000_000);
const scope = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, "a scope is printable ASCII without blanks and quotes");
const url = z
  .string()
  .max(2000)
  .refine((value) => URL.canParse(value) && !value.includes("#"), "this is no URL without a fragment");

const client = z.strictObject({
  id: text,
  secret: text.nullish(),
  redirect_uris: z.array(url).max(MAX_ENTRIES).nullish(),
  grants: z.array(z.enum(OAUTH_GRANTS)).nullish(),
  scopes: z.array(scope).max(MAX_ENTRIES).nullish(),
  audience: text.nullish(),
});

const user = z.strictObject({ id: text, claims: z.record(z.string(), json).nullish() });

const EFFECTS = ["delay_ms", "cut", "status", "malformed", "token"] as const;

const fault = z
  .strictObject({
    at: z.enum(OAUTH_ENDPOINTS),
    after: count.nullish(),
    times: integerUpTo(1, 1_000_000).nullish(),
    delay_ms: integerUpTo(0, MAX_DELAY_MS).nullish(),
    cut: z.boolean().nullish(),
    status: integerUpTo(400, 599).nullish(),
    error: text.nullish(),
    retry_after: seconds.nullish(),
    malformed: z.boolean().nullish(),
    token: z.enum(TOKEN_FAULTS).nullish(),
  })
  .superRefine((value, context) => {
    if (EFFECTS.every((key) => value[key] == null)) {
      addError(context, new Error(`this fault does nothing\ngive it one of: ${EFFECTS.join(", ")}`));
    }
    if (value.token != null && value.at !== "token") {
      addError(context, new Error(`only the endpoint "token" gives tokens`), ["token"]);
    }
  });

/** The faults alone, which can be sent to a running server. */
export const oauthFaultsSchema = z.array(fault.transform((value) => given(value))).max(MAX_ENTRIES);

export const oauthScriptSchema: z.ZodType<OAuthScript> = z
  .strictObject({
    name: z.string().nullish(),
    issuer: url.nullish(),
    algorithm: z.enum(OAUTH_ALGORITHMS).nullish(),
    audience: text.nullish(),
    token_seconds: seconds.nullish(),
    refresh_seconds: seconds.nullish(),
    code_seconds: seconds.nullish(),
    scopes: z.array(scope).max(MAX_ENTRIES).nullish(),
    clients: z
      .array(client.transform((value) => given(value)))
      .min(1)
      .max(MAX_ENTRIES)
      .nullish(),
    users: z
      .array(user.transform((value) => given(value)))
      .min(1)
      .max(MAX_ENTRIES)
      .nullish(),
    consent: z
      .strictObject({ user: text.nullish(), decision: z.enum(["approve", "deny"]).nullish() })
      .transform((value) => given(value))
      .nullish(),
    device: z
      .strictObject({
        interval: integerUpTo(0, 600).nullish(),
        expires_in: seconds.nullish(),
        answers: z.array(z.enum(DEVICE_ANSWERS)).min(1).max(MAX_ENTRIES).nullish(),
      })
      .transform((value) => given(value))
      .nullish(),
    rotate_refresh_tokens: z.boolean().nullish(),
    keys: z
      .strictObject({
        rollover_after: integerUpTo(1, 1_000_000).nullish(),
        keep: integerUpTo(0, 100).nullish(),
      })
      .transform((value) => given(value))
      .nullish(),
    faults: oauthFaultsSchema.nullish(),
  })
  .superRefine((script, context) => {
    refuseTwice(script.clients ?? [], "clients", context);
    refuseTwice(script.users ?? [], "users", context);
    const named = script.consent?.user;
    if (named !== undefined && script.users && !script.users.some(({ id }) => id === named)) {
      addError(context, new Error(`there is no user ${quote(named)}`), ["consent", "user"]);
    }
    const { scopes } = script;
    if (!scopes) return;
    for (const [at, { scopes: mine = [] }] of (script.clients ?? []).entries()) {
      for (const [index, one] of mine.entries()) {
        if (!scopes.includes(one))
          addError(context, new Error(`"scopes" of the server has no ${quote(one)}`), [
            "clients",
            at,
            "scopes",
            index,
          ]);
      }
    }
  })
  .transform((value) => given(value));

function refuseTwice(entries: readonly { id: string }[], key: string, context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (seen.has(id)) addError(context, new Error(`${quote(id)} is here twice`), [key, index, "id"]);
    seen.add(id);
  }
}
