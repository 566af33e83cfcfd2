// Documents of the registry as clients read them. What they write is in runtime/schemas/registration.ts.
import { z } from "zod";
import { AGENT_COMMANDS, AGENT_STATES, STAGES } from "../../core/registration.ts";
import { boundedText } from "../../runtime/schemas/bounded.ts";
import { LoadBody } from "../../runtime/schemas/registration.ts";
import { AgentDocument } from "./agent.ts";
import { JsonRecord, listOf, PageQuery, StringRecord, Timestamp } from "./common.ts";

const state = z.enum(AGENT_STATES).meta({ id: "AgentState" });
const figure = z.number().nullable();

const MeasuredDocument = z
  .strictObject({
    runs: z.int(),
    completed: z.int(),
    latency_ms: figure.describe("Moving average; null before the first run."),
    success_rate: figure.describe("Share of completed runs, moving average."),
    cost_usd: figure,
    judged: z.int().describe("Runs that a test judged."),
    quality: figure.describe("Share of judged runs that passed, moving average."),
  })
  .meta({ id: "MeasuredAnswers" });

const HealthDocument = z
  .strictObject({
    state,
    since: Timestamp.nullable().describe("When the state began, as far as it is known."),
    seen_at: Timestamp.nullable().describe("When the agent was last heard of: a beat, a probe or a run."),
    load: LoadBody.nullable(),
    trouble: z.string().nullable().describe("What the agent, a probe or a run said is wrong."),
    measured: MeasuredDocument,
  })
  .meta({ id: "AgentHealth" });

export const RegisteredAgentDocument = AgentDocument.extend({
  kind: z.enum(["leased", "probed", "managed"]),
  labels: StringRecord,
  stage: z.enum(STAGES),
  metadata: JsonRecord.optional(),
  health: HealthDocument,
}).meta({ id: "RegisteredAgent" });

export const RegisteredAgentList = listOf("RegisteredAgentList", RegisteredAgentDocument);

export const RegisteredDocument = z
  .strictObject({
    agent: RegisteredAgentDocument,
    instance: z.string().describe("Send it with every beat."),
    lease_seconds: z.number(),
    interval_seconds: z.number(),
    created: z.boolean(),
    token: z.string().optional().describe("The agent's own token, shown once."),
  })
  .meta({ id: "Registered" });

export const BeatAnswerDocument = z
  .strictObject({
    state,
    lease_seconds: z.number(),
    interval_seconds: z.number(),
    commands: z.array(z.enum(AGENT_COMMANDS)),
  })
  .meta({ id: "BeatAnswer" });

export const CommandBody = z.strictObject({ command: z.enum(AGENT_COMMANDS) }).meta({ id: "AgentCommand" });

export const SearchResultDocument = z
  .strictObject({
    matches: z.array(z.strictObject({ agent: RegisteredAgentDocument, capability: z.string().nullable() })),
    total: z.int(),
    rejected: z.array(z.strictObject({ agent: z.string(), reason: z.string() })),
  })
  .meta({ id: "SearchResult" });

export const HealthHistory = listOf(
  "HealthHistory",
  z.strictObject({ at: Timestamp, state, reason: z.string() }).meta({ id: "HealthEntry" }),
);

export const RegistryChangeDocument = z
  .strictObject({
    sequence: z.int(),
    at: Timestamp,
    type: z.enum(["registered", "updated", "state", "removed"]),
    agent: z.string(),
    document: RegisteredAgentDocument.optional(),
  })
  .meta({ id: "RegistryChange" });

export const AgentListQuery = PageQuery.extend({
  capability: boundedText(1000).optional(),
  label: z
    .array(z.string().regex(/^[^=]+=/, "write key=value"))
    .optional()
    .describe("`key=value`; all must match."),
  stage: z.enum(STAGES).optional(),
  state: z.array(z.enum(AGENT_STATES)).optional(),
});

export const WatchQuery = z.strictObject({
  after: z.int().min(0).optional().describe("The sequence of the last change that was seen."),
  access_token: z.string().optional(),
});
