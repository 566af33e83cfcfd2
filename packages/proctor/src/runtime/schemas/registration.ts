// Agents as they register themselves, and their beats, at every endpoint that takes them.
import { z } from "zod";
import { AGENT_STATES, BEAT_SECONDS, STAGES } from "../../core/registration.ts";
import { json } from "../yaml/scalars.ts";
import { boundedInt, boundedText } from "./bounded.ts";
import { agentParts } from "./agent-parts.ts";
import { labelsSchema } from "./labels.ts";
import { agentProfile } from "./agent-profile.ts";

const MAX_METADATA_CHARS = 20_000;
const MAX_LABELS = 50;
const MAX_COUNT = 1_000_000_000;

const labelText = z.string().max(200);
const labels = z
  .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/, "this cannot name a label"), labelText)
  .refine((record) => Object.keys(record).length <= MAX_LABELS, `at most ${MAX_LABELS} labels`);
const stage = z.enum(STAGES);
const metadata = z
  .record(z.string(), json)
  .refine(
    (value) => JSON.stringify(value).length <= MAX_METADATA_CHARS,
    "must have at most 20,000 characters",
  );

const spec = z.strictObject({
  protocol: boundedText(64),
  transport: boundedText(64),
  command: z.array(z.string()).min(1).exactOptional(),
  url: boundedText(8192).exactOptional(),
  env: agentParts.env.exactOptional(),
  headers: agentParts.headers.exactOptional(),
  environment: boundedText(64).exactOptional(),
  cwd: agentParts.cwd.exactOptional(),
  client_env: z.array(boundedText(256)).max(100).exactOptional(),
  options: agentParts.options.exactOptional(),
  concurrency: boundedInt(1, 10_000).exactOptional(),
  requires: labelsSchema.exactOptional(),
});

const settings = {
  endpoint: boundedText(8192)
    .exactOptional()
    .describe(
      "An address (`a2a+https://…`), or a plain URL that describes itself. Absent: the agent's inbox of envelopes.",
    ),
  spec: spec.exactOptional().describe("The long form of `endpoint`."),
  labels: labels.exactOptional(),
  stage: stage.exactOptional(),
  probe: z
    .boolean()
    .exactOptional()
    .describe("Proctor asks the agent how it is, and the agent need not beat."),
  interval_seconds: z.number().min(BEAT_SECONDS.min).max(BEAT_SECONDS.max).exactOptional(),
  metadata: metadata.exactOptional(),
  ...agentProfile,
};

export const RegistrationBody = z
  .strictObject({ name: agentParts.name, ...settings })
  .meta({ id: "Registration" });

export const RegistrationChanges = z.strictObject(settings).meta({ id: "RegistrationChanges" });

const count = z.number().min(0).max(MAX_COUNT);

export const LoadBody = z
  .object({
    active: count.exactOptional().describe("Tasks at work."),
    capacity: count.exactOptional().describe("Tasks that it takes at once."),
    queued: count.exactOptional().describe("Tasks that wait."),
  })
  .catchall(z.union([z.number(), z.string().max(200), z.boolean(), z.null()]))
  .refine((load) => Object.keys(load).length <= 20, "at most 20 figures")
  .meta({ id: "Load" });

export const BeatBody = z
  .strictObject({
    instance: z.string().max(100).exactOptional().describe("As the registration returned it."),
    load: LoadBody.exactOptional(),
    health: z.string().max(500).exactOptional().describe("The agent's own word; anything but `ok` is shown."),
    draining: z.boolean().exactOptional().describe("The agent takes no more work."),
    sequence: z.int().min(0).exactOptional().describe("Grows with every beat of an instance."),
  })
  .meta({ id: "Beat" });

export const VerdictsBody = z
  .strictObject({
    verdicts: z
      .array(
        z.strictObject({
          run_id: boundedText(100),
          passed: z.boolean().describe("Whether the run did what the test asks."),
        }),
      )
      .max(1000),
  })
  .meta({ id: "Verdicts" });

const word = boundedText(1000);

export const SearchBody = z
  .strictObject({
    capability: word.exactOptional(),
    version: word.exactOptional().describe("A range in the notation of npm."),
    input: json.exactOptional().describe("Only agents whose capability takes this input."),
    labels: z.record(z.string(), labelText).exactOptional(),
    stage: stage.exactOptional(),
    state: z.array(z.enum(AGENT_STATES)).exactOptional(),
    limit: boundedInt(1, 1000).exactOptional(),
  })
  .meta({ id: "AgentSearch" });
