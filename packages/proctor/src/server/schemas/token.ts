// Tokens and the audit log as clients write and read them. The types are core's; these schemas check documents against them.
import { z } from "zod";
import { isScopeGrant, SCOPES, type ScopeGrant } from "../../core/scope.ts";
import { boundedInt, boundedText } from "../../runtime/schemas/bounded.ts";
import { listOf, PageQuery, Timestamp } from "./common.ts";

const ScopeName = z
  .string()
  .max(64)
  .refine(
    (text): text is ScopeGrant => isScopeGrant(text),
    `one of ${Object.keys(SCOPES).join(", ")}, or runs:* and its like`,
  )
  .meta({ id: "Scope", description: "`runs:read`, `runs:*`, `admin`, …: see the reference of tokens." });

const BindingBody = z
  .strictObject({
    kind: z.enum(["agent", "folder", "user"]),
    name: boundedText(128),
  })
  .meta({
    id: "TokenBinding",
    description:
      "What a token is limited to. A folder holds the agents whose names begin with its name and a dot.",
  });

const RateBody = z
  .strictObject({
    per_second: z.number().positive().max(1_000_000).describe("Requests per second, on average."),
    burst: boundedInt(1, 1_000_000).describe("Requests that may come at once."),
  })
  .meta({ id: "TokenRate" });

const KindName = z
  .enum(["api", "enrol", "agent"])
  .describe(
    "`api` for people and programs, `enrol` for one registration, `agent` for the agent that registered.",
  );

export const NewTokenBody = z
  .strictObject({
    kind: KindName.optional(),
    name: boundedText(200).describe("What people call it."),
    scopes: z
      .array(ScopeName)
      .max(50)
      .describe("What it may do. An enrolment token may register an agent, whatever is here."),
    binding: BindingBody.optional(),
    expires_in_seconds: z
      .number()
      .positive()
      .nullable()
      .optional()
      .describe("Seconds until it expires, 90 days when absent; null for one that never does."),
    rate: RateBody.optional(),
  })
  .meta({ id: "NewToken" });

export const RotateBody = z
  .strictObject({
    overlap_seconds: z
      .number()
      .min(0)
      .max(365 * 24 * 60 * 60)
      .optional()
      .describe("Seconds for which the old secret still counts; a day when absent."),
  })
  .meta({ id: "RotateToken" });

export const TokenDocument = z
  .strictObject({
    id: z.string(),
    kind: KindName,
    name: z.string(),
    scopes: z.array(z.string()),
    binding: BindingBody.nullable(),
    rate: RateBody.nullable(),
    created_at: Timestamp,
    created_by: z.string().describe("`operator`, or `token:<id>`."),
    expires_at: Timestamp.nullable(),
    revoked_at: Timestamp.nullable(),
    last_used_at: Timestamp.nullable().describe("To the minute."),
    previous_until: Timestamp.nullable().describe("When the secret that it had before stops counting."),
    used_by: z.string().nullable().describe("The agent that registered with an enrolment token."),
  })
  .meta({ id: "Token" });

export const TokenList = listOf("TokenList", TokenDocument);

export const IssuedTokenDocument = z
  .strictObject({
    token: TokenDocument,
    secret: z.string().describe("The text to send as a bearer token. It is never shown again."),
    closed_hub: z.boolean().optional().describe("True for the token that closed the hub."),
  })
  .meta({ id: "IssuedToken" });

export const AuditQueryParams = PageQuery.extend({
  actor: boundedText(200).optional().describe("Only what this caller did: `operator`, `token:<id>`."),
  subject: boundedText(300).optional().describe("Only what was done to it: `token:<id>`, `agent:<name>`."),
});

const AuditEntryDocument = z
  .strictObject({
    sequence: z.int().describe("Grows with every entry."),
    at: Timestamp,
    actor: z.string().describe("Who did it; `nobody` for a refused caller."),
    action: z.string().describe("`token.created`, `token.refused`, `agent.registered`, …"),
    subject: z.string(),
    details: z.unknown().refine((value) => value !== undefined, "is required"),
  })
  .meta({ id: "AuditEntry" });

export const AuditList = listOf("AuditList", AuditEntryDocument);
