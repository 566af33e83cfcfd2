// The suite file as it is written. What the format knows and Proctor does not do is refused, never ignored.
import { z } from "zod";
import { MAX_DESCRIPTION_CHARS, MAX_STEPS, MAX_TIMEOUT_SECONDS, MAX_TOKENS } from "../../core/task.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolSet } from "../../core/tools.ts";
import { isJsonObject } from "../../core/json.ts";
import { agentEntry } from "../agent-entry.ts";
import { dispatch, refused } from "../../runtime/yaml/findings.ts";
import { amount, integerUpTo, numberUpTo } from "../../runtime/yaml/scalars.ts";
import { placeShape, workShape } from "../../runtime/schemas/environment.ts";
import type { OAuthScript } from "../../core/oauth-script.ts";
import type { PushScript } from "../../core/push-script.ts";
import { oauthScriptSchema } from "../../runtime/schemas/oauth-script.ts";
import { pushScriptSchema } from "../../runtime/schemas/push-script.ts";
import { toolSetSchema } from "../../runtime/schemas/tool-set.ts";
import { checkEntry } from "./check-entry.ts";
import { dataSchema, matrixSchema, varsSchema } from "./parameter-schema.ts";
import { turnsSchema } from "./turns-entry.ts";
import { userSchema } from "./user-entry.ts";
import {
  comparisonSchema,
  MAX_RUNS,
  modeSchema,
  passRateSchema,
  REFUSED_CONFIG,
  scoringSchema,
} from "./run-rules.ts";

const text = z.string().min(1);
const timeout = integerUpTo(1, MAX_TIMEOUT_SECONDS);
/** A pattern that is not absolute and has no part `..`: others would match nothing. */
const INSIDE = /^(?!\/)(?!(?:.*\/)?\.\.(?:\/|$))/s;

const refusedConfig = (key: string): ReturnType<typeof refused> =>
  refused(`"${key}" is not supported: ${REFUSED_CONFIG.reason}`, REFUSED_CONFIG.instead);

/** Null means that the key is not given, and the default of the suite applies. */
const constraints = z.strictObject({
  max_steps: integerUpTo(1, MAX_STEPS).nullish().describe("Steps the agent may take."),
  max_tokens: integerUpTo(1, MAX_TOKENS).nullish().describe("Tokens the agent may use."),
  timeout_seconds: timeout.nullish().describe("Time limit; 300 when nobody says one."),
  allowed_tools: z.array(text).nullish().describe("The agent may use no other tools; [] allows none."),
  budget_usd: amount.nullish().describe("Money the agent may spend."),
});

const json: z.ZodType<JsonObject> = z
  .custom<JsonObject>(isJsonObject, { message: `"input_data" must be a mapping (key: value)` })
  .meta({ type: "object" });

const expectedArtifact = z.union([
  text.transform((name) => ({ name })),
  z.strictObject({
    type: z.enum(["file", "structured"]).exactOptional(),
    format: text.exactOptional(),
    name: text.exactOptional(),
  }),
]);

const task = z.strictObject({
  description: text.max(MAX_DESCRIPTION_CHARS).describe("What the agent is asked to do."),
  input_data: json.optional().describe("Data for the task."),
  expected_artifacts: z.array(expectedArtifact).optional().describe("What the agent should produce."),
  workspace_fixture: text.nullish().describe("A directory whose copy is the run's workspace."),
  collect: z
    .array(text.regex(INSIDE, "a pattern is relative to the workspace, and does not lead out of it"))
    .optional()
    .describe("Patterns of files in the workspace that become artifacts."),
});

/** The variables that an agent gets, by name. */
const environment = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a variable's name has letters, digits and _"),
  z.string(),
);

const tags = z.array(text.regex(/^[^!,\s][^,]*$/, "a tag has no comma and does not start with !"));

/** Paths are relative to the folder of the file. */
const terminalFile = z.strictObject({
  ...placeShape,
  ...workShape,
  solution: text.exactOptional().describe("What the agent term+builtin:oracle runs: a script."),
});

/** The keys that a test may have, and `defaults` for all tests. */
const common = {
  constraints: constraints.default({}).describe("Limits of a run."),
  runs_per_test: integerUpTo(1, MAX_RUNS).optional().describe("How often it runs on each agent."),
  pass_rate: passRateSchema.optional().describe("The share of runs that must pass; all of them when absent."),
  concurrency: integerUpTo(1, MAX_RUNS).optional().describe("Runs of one case in flight at once."),
  threshold: numberUpTo(0, 1).optional().describe("A run passes with this weighted mean of its checks."),
  scoring: scoringSchema.optional().describe("What the score is made of; the weights add up to 1."),
  tags: tags.default([]).describe("Words to select tests by."),
  agents: z.array(text).min(1).optional().describe("Names of agents to run on; all of them when absent."),
  assertions: z.array(checkEntry).optional().describe("What is checked when a run has ended."),
  checks: z.array(checkEntry).optional().describe('Another name for "assertions".'),
  vars: varsSchema.optional().describe("Values for {{ name }}."),
  environment: environment.optional().describe("Variables that agents find in context.environment."),
  secrets: environment.optional().describe("The same, for values that must appear nowhere else."),
  // The tools are in a file of their own, or here.
  tools: dispatch<string | ToolSet>((value) => (typeof value === "string" ? text : toolSetSchema), {
    forms: () => [text, toolSetSchema],
  })
    .optional()
    .describe("What the agents' tools do: a file, or its content."),
  labs: z
    .strictObject({
      oauth: dispatch<string | OAuthScript>(
        (value) => (typeof value === "string" ? text : oauthScriptSchema),
        {
          forms: () => [text, oauthScriptSchema],
        },
      )
        .optional()
        .describe("An OAuth and OpenID Connect server: a file, or its content."),
      push: dispatch<string | PushScript>((value) => (typeof value === "string" ? text : pushScriptSchema), {
        forms: () => [text, pushScriptSchema],
      })
        .optional()
        .describe("A receiver of push notifications: a file, or its content."),
    })
    .optional()
    .describe("Servers that the agents meet; each run has its own."),
  terminal: terminalFile
    .optional()
    .describe("Where the terminal of terminal agents lives, and how they work."),
  strict: z.boolean().optional().describe("A violation of its protocol fails a run."),
  canary: z.boolean().optional().describe("A unique secret fails a run in which it turns up."),
};

const oneName = {
  message: `"assertions" and "checks" are two names for the same; use one`,
  path: ["checks"],
  params: { at: "key" },
};

const parameters = {
  vars: common.vars,
  matrix: matrixSchema.optional().describe("Runs once for every combination of these lists."),
  data: dataSchema
    .optional()
    .describe("Runs once for every row: a .csv, .jsonl, .json or .yaml file, or a list."),
};

/** The keys of which one says the first word of a test. */
const SAYS = ["task", "turns", "user"] as const;

export const testSchema = z
  .strictObject({
    id: text.max(200).describe("Unique in the suite."),
    name: text.describe("For people."),
    description: z.string().nullish().describe("For people."),
    task: task
      .optional()
      .describe("What the agent is asked to do. Tests with turns or a user may have none."),
    turns: turnsSchema.optional().describe("A scripted conversation, step by step."),
    user: userSchema.optional().describe("A simulated user who talks with the agent."),
    ...common,
    ...parameters,
    mode: modeSchema.optional().describe("comparison: which of the agents does best."),
    comparison_config: comparisonSchema.optional().describe("How agents are compared."),
    collaboration_config: refusedConfig("collaboration_config"),
    handoff_config: refusedConfig("handoff_config"),
  })
  .refine((entry) => entry.assertions === undefined || entry.checks === undefined, oneName)
  .refine((entry) => !isJsonObject(entry) || SAYS.some((key) => Object.hasOwn(entry, key)), {
    message: `missing key "task"`,
    path: ["task"],
    // Reported together with whatever else is wrong.
    when: () => true,
  })
  .superRefine(checkTalk)
  .refine((entry) => entry.mode !== undefined || entry.comparison_config === undefined, {
    message: `"comparison_config" needs "mode: comparison"`,
    path: ["comparison_config"],
    params: { at: "key", hint: `add "mode: comparison"` },
  });

/** Requires exactly one way to talk, and a key that says the first word. */
function checkTalk(
  { task, turns, user }: { task?: unknown; turns?: readonly { say?: unknown }[] | undefined; user?: unknown },
  context: z.RefinementCtx,
): void {
  const add = (path: (string | number)[], message: string, params: object): void =>
    context.addIssue({ code: "custom", path, message, params });
  if (turns !== undefined && user !== undefined) {
    add(["user"], `"turns" and "user" both hold the conversation; use one`, { at: "key" });
  } else if (task === undefined && turns !== undefined && turns[0]?.say === undefined) {
    add(["turns", 0], "nothing has been said yet", { hint: `begin with "say", or give the test a "task"` });
  }
}

export const defaultsSchema = z
  .strictObject({
    ...common,
    timeout_seconds: timeout.nullish().describe("Time limit of every test."),
  })
  .refine((entry) => entry.assertions === undefined || entry.checks === undefined, oneName);

export const suiteSchema = z.strictObject({
  test_suite: text.describe("Name of the suite, in reports."),
  // Without quotes YAML reads 1.0 as the number 1.
  version: z
    .preprocess((value) => (value === 1 ? "1.0" : value), z.literal("1.0"))
    .default("1.0")
    .meta({ enum: ["1.0", 1] }),
  description: z.string().nullish().describe("For people."),
  include: z
    .array(text)
    .optional()
    .describe("Files whose agents, defaults, vars and tests belong to this suite."),
  ...parameters,
  defaults: defaultsSchema.prefault({}).describe("What holds for every test that says nothing else."),
  agents: z.array(agentEntry).default([]).describe("The agents that are tested."),
  tests: z.array(testSchema).min(1).describe("The tests."),
});

/** These are read later, entry by entry, once their templates are filled in. */
const later = {
  defaults: z.unknown().optional(),
  agents: z.array(z.unknown()).default([]),
};

export const rootSchema = suiteSchema.extend({ ...later, tests: z.array(z.unknown()).optional() });

export const fragmentSchema = rootSchema.extend({ test_suite: text.optional() });

export type HeadFile = z.output<typeof fragmentSchema>;
export type TestFile = z.output<typeof testSchema>;
export type DefaultsFile = z.output<typeof defaultsSchema>;
