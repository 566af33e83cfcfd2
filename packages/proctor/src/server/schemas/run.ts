// Runs as clients ask for them and read them. Limits are those of document 000, "ATP Request".
import { z } from "zod";
import { MAX_PRIORITY } from "../../core/labels.ts";
import { MAX_PAGE_LIMIT } from "../../core/page.ts";
import { MAX_ID_CHARS } from "../../core/message.ts";
import { RUN_ORDERS, RUN_STATUSES } from "../../core/run.ts";
import { MAX_DESCRIPTION_CHARS, MAX_STEPS, MAX_TIMEOUT_SECONDS, MAX_TOKENS } from "../../core/task.ts";
import { MAX_ALIAS_CHARS } from "../../core/request-problems.ts";
import { environmentSchema, llmSchema, terminalSchema } from "../../runtime/schemas/environment.ts";
import type { JsonObject } from "../../core/json.ts";
import { boundedInt, boundedText } from "../../runtime/schemas/bounded.ts";
import { labelsSchema } from "../../runtime/schemas/labels.ts";
import { labSetSchema } from "../../runtime/schemas/lab-set.ts";
import { toolSetSchema } from "../../runtime/schemas/tool-set.ts";
import { conversationSchema } from "../../runtime/schemas/conversation.ts";
import { AgentSpecBody } from "./agent.ts";
import { ArtifactDocument } from "./artifact.ts";
import { MessageBody, toMessage } from "./message.ts";
import { QuestionDocument } from "./question.ts";
import { JsonRecord, listOf, PageQuery, StringRecord, Timestamp } from "./common.ts";

const ExpectedKind = z.enum(["file", "structured"]).meta({ id: "ExpectedArtifactKind" });

const Task = z
  .looseObject({
    description: boundedText(MAX_DESCRIPTION_CHARS).describe("What the agent should do."),
    input_data: JsonRecord.optional(),
    expected_artifacts: z
      .array(
        z.looseObject({
          type: ExpectedKind.optional(),
          format: z.string().optional(),
          name: z.string().optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: "Task", description: "What is asked. Unknown fields are kept and reach the agent." });

const Constraints = z
  .strictObject({
    max_steps: boundedInt(1, MAX_STEPS).optional(),
    max_tokens: boundedInt(1, MAX_TOKENS).optional(),
    timeout_seconds: boundedInt(1, MAX_TIMEOUT_SECONDS).optional().describe("300 when absent."),
    budget_usd: z.number().min(0).optional(),
    allowed_tools: z.array(z.string()).nullable().optional().describe("Absent or null: all. Empty: none."),
  })
  .meta({
    id: "Constraints",
    description: "Limits that the hub enforces. Absent means unlimited, except the timeout.",
  });

const Context = z
  .looseObject({
    tools_endpoint: z.string().optional(),
    workspace_path: z.string().optional(),
    environment: StringRecord.optional().describe("Values are secrets: never stored, logged or shown."),
  })
  .meta({ id: "Context", description: "What the agent may use." });

const Retry = z
  .strictObject({
    max_attempts: boundedInt(1, 10),
    initial_delay_ms: boundedInt(0, 86_400_000).optional(),
    max_delay_ms: boundedInt(0, 86_400_000).optional(),
    multiplier: z.number().min(1).max(100).optional(),
    on: z.array(z.string().min(1)).optional().describe("Failure codes worth another attempt."),
  })
  .meta({ id: "RetryPolicy", description: "Another attempt is a new run; `retried_as` links to it." });

/** Schema of a document that is checked by the schema of files that define the same. */
const definedBy = (schema: z.ZodType<JsonObject>) =>
  JsonRecord.superRefine((value, context) => {
    for (const issue of schema.safeParse(value).error?.issues ?? []) {
      context.addIssue({ code: "custom", path: [...issue.path], message: issue.message });
    }
  }).overwrite((value) => schema.safeParse(value).data ?? value);

/** Described in docs/reference/tools.md. */
const ToolSet = definedBy(toolSetSchema).meta({
  id: "ToolSet",
  description: "What the agent's tools do, as in a file for `--tools`.",
});

/** Described in docs/reference/labs.md. */
const Labs = definedBy(labSetSchema).meta({
  id: "Labs",
  description: "Servers that the agent meets, as in a suite.",
});

const Workspace = z
  .strictObject({
    fixture: boundedText(4096).optional().describe("A directory on the hub's machine to start with."),
    collect: z.array(boundedText(1000)).max(100).optional().describe("Patterns of files to keep."),
    collect_changed: z
      .array(boundedText(1000))
      .max(100)
      .optional()
      .describe(
        "Patterns of files to keep where the agent made or changed them; at most 100 files, 100 MiB.",
      ),
    keep: z.boolean().optional().describe("Not removed after the run."),
    hold: z.boolean().optional().describe("Stays after the run until it is released."),
  })
  .meta({
    id: "Workspace",
    description: "Every run has a fresh directory, unless `workspace_path` names another.",
  });

const ViolationDocument = z
  .looseObject({
    rule: z.string(),
    message: z.string(),
    where: z.string().optional(),
    repeated: z.int().optional(),
    owner: z.enum(["document", "proctor"]).optional().describe("Whose rule it is."),
    section: z.string().optional().describe("Where the document says so."),
  })
  .meta({ id: "Violation", description: "A rule of its protocol that the agent broke." });

const Webhook = z
  .strictObject({
    url: boundedText(2000)
      .meta({ format: "uri", pattern: "^https?://[^\\s/?#@]+([/?][^\\s#]*)?$" })
      .describe("http or https; not to a private address unless the hub allows it."),
    secret: boundedText(1000).optional().describe("Signs the requests. Shown to nobody again."),
    events: z
      .array(boundedText(100).meta({ pattern: "^(\\*|log|(task|step|artifact|question)\\.(\\*|[a-z]+))$" }))
      .min(1)
      .max(50)
      .optional()
      .describe("`task.completed`, `question.*`, `*`; `task.*` when absent."),
  })
  .meta({ id: "Webhook", description: "Where the task's events are sent by POST." });

const Options = z
  .strictObject({
    strict: z.boolean().optional().describe("A violation of its protocol fails the run."),
    canary: z
      .boolean()
      .optional()
      .describe("Fails the run where a unique secret of its environment turns up."),
    capability: boundedText(1000)
      .optional()
      .describe(
        "The agent's capability that the run carries out: `input_data` is held against its `parameters` before, the output against its `returns` afterwards.",
      ),
    priority: boundedInt(-MAX_PRIORITY, MAX_PRIORITY)
      .optional()
      .describe("Among the runs that wait, the one with the higher number starts first; 0 when absent."),
    requires: labelsSchema
      .optional()
      .describe("Labels that a worker must have to carry out the run, beside those that its agent requires."),
    record: z.boolean().optional().describe("Keeps every message that travels, as `wire.message`."),
    workspace: Workspace.optional(),
    environment: environmentSchema
      .extend({
        hold: z
          .boolean()
          .exactOptional()
          .describe("The terminal stays open after the run until it is released, at most an hour."),
      })
      .meta({ id: "Environment", description: "Where the terminal of the run lives." })
      .optional(),
    terminal: terminalSchema.meta({ id: "Terminal", description: "How a terminal agent works." }).optional(),
    llm: llmSchema.meta({ id: "Llm", description: "The run's own model endpoint." }).optional(),
    tools: ToolSet.optional(),
    labs: Labs.optional(),
    conversation: conversationSchema
      .meta({
        id: "ConversationOptions",
        description: "What happens to the agent's questions.",
      })
      .nullable()
      .optional()
      .describe("Clients are asked when absent; null when nobody is there to be asked."),
    webhook: Webhook.optional(),
    request_violations: z
      .array(ViolationDocument)
      .optional()
      .describe("Recorded with the run; strict does not count them."),
  })
  .meta({ id: "RunOptions", description: "What is asked of the hub beside the task." });

const alias = boundedText(MAX_ALIAS_CHARS).describe("The client's own name for the run.");

const conversationId = boundedText(MAX_ID_CHARS);
const runId = boundedText(200);

export const RunBody = z
  .strictObject({
    agent: z
      .union([boundedText(8192), AgentSpecBody])
      .describe("A registered name, an address such as `atp+stdio:python agent.py`, or the long form."),
    task: Task,
    constraints: Constraints.optional(),
    context: Context.optional(),
    metadata: JsonRecord.optional(),
    retry: Retry.optional(),
    options: Options.optional(),
    alias: alias.optional(),
    conversation_id: conversationId
      .optional()
      .describe("The conversation that the run joins; its own, or that of the run it follows, when absent."),
    follows: runId.optional().describe("An ended run of the same conversation to go on from."),
    parent_id: runId.optional().describe("The run whose work this one is a part of."),
    message: MessageBody.optional().describe(
      "What the client says, where that is more than the task's text.",
    ),
  })
  .meta({ id: "RunRequest" });

export const ClientRunBody = RunBody.omit({
  agent: true,
  retry: true,
  follows: true,
  parent_id: true,
}).meta({ id: "ClientRunRequest" });

/** Returns the body with its message in the long form, whichever was sent. */
export function withMessage<T extends Pick<z.infer<typeof RunBody>, "message">>(body: T) {
  const { message, ...rest } = body;
  return { ...rest, ...(message && { message: toMessage(message) }) };
}

export const NewRunQueryParams = z.strictObject({
  start: z
    .enum(["true", "false"])
    .meta({ id: "TrueOrFalse" })
    .optional()
    .describe("`false`: the run waits until it is started at `/runs/{id}/start`."),
});

export const ReasonBody = z.strictObject({ reason: boundedText(1000).optional() }).meta({ id: "Reason" });

export const FailureDocument = z
  .looseObject({ code: z.string(), message: z.string(), details: JsonRecord.optional() })
  .meta({
    id: "Failure",
    description: "Why the run did not complete. Data about the agent, not an error of this API.",
  });

const count = z.number().optional();
const Metrics = z
  .looseObject({
    total_tokens: count,
    input_tokens: count,
    output_tokens: count,
    total_steps: count,
    tool_calls: count,
    llm_calls: count,
    wall_time_seconds: count,
    cost_usd: count,
    observed_tool_calls: count.describe("Calls that the hub saw at the run's tool endpoint."),
  })
  .meta({ id: "Metrics" });

const RunStatus = z.enum(RUN_STATUSES).meta({ id: "RunStatus" });

// A later version may have stored fields that this one does not know.
const StoredConstraints = z.looseObject(Constraints.shape).meta({ id: "StoredConstraints" });
const StoredOptions = z
  .looseObject({ ...Options.shape, tools: JsonRecord.optional() })
  .meta({ id: "StoredRunOptions" });
const StoredRetry = z.looseObject(Retry.shape).meta({ id: "StoredRetryPolicy" });

const RUN_EXAMPLE = {
  id: "01a1e14f-3cf7-702e-b2be-b1e955c02556",
  agent: "writer",
  status: "completed",
  task: { description: "Greet Ada" },
  constraints: { timeout_seconds: 300 },
  context: {},
  metadata: {},
  options: {},
  alias: null,
  retry: null,
  attempt: 1,
  retry_of: null,
  retried_as: null,
  conversation_id: "01a1e14f-3cf7-702e-b2be-b1e955c02556",
  follows: null,
  parent_id: null,
  root_id: "01a1e14f-3cf7-702e-b2be-b1e955c02556",
  questions: [],
  trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
  parent_span_id: null,
  created_at: "2026-11-15T22:23:48.902Z",
  started_at: "2026-11-15T22:23:48.911Z",
  ended_at: "2026-11-15T22:23:49.187Z",
  metrics: { total_tokens: 1840, total_steps: 3, wall_time_seconds: 0.276, cost_usd: 0.0123 },
  artifacts: [],
  failure: null,
  extensions: null,
  violations: [],
};

export const RunDocument = z
  .strictObject({
    id: z.string(),
    agent: z.string().describe("The registered name, or the address."),
    status: RunStatus,
    task: Task,
    constraints: StoredConstraints,
    context: Context,
    metadata: JsonRecord,
    options: StoredOptions,
    alias: z.string().nullable(),
    retry: StoredRetry.nullable(),
    attempt: z.int().min(1),
    retry_of: z.string().nullable(),
    retried_as: z.string().nullable(),
    conversation_id: z.string().describe("What the runs share that go on from one another."),
    follows: z.string().nullable().describe("The ended run that this one goes on from."),
    parent_id: z.string().nullable().describe("The run whose work this one is a part of."),
    root_id: z.string().describe("The run at the top of the tree; itself when it has no parent."),
    questions: z.array(QuestionDocument).describe("Those that nobody has answered yet."),
    trace_id: z.string().describe("W3C trace id."),
    parent_span_id: z.string().nullable().describe("Id of the span that asked for the run, in that trace."),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    ended_at: Timestamp.nullable(),
    metrics: Metrics,
    artifacts: z.array(ArtifactDocument),
    failure: FailureDocument.nullable(),
    extensions: JsonRecord.nullable().describe("Fields of the agent's answer that are not known here."),
    violations: z.array(ViolationDocument).describe("The first of them; the event log has all."),
  })
  .meta({ id: "Run", description: "One attempt of one agent at one task.", examples: [RUN_EXAMPLE] });

export const RunList = listOf("RunList", RunDocument)
  .extend({ total: z.int().min(0).optional().describe("With `page`: how many runs there are.") })
  .meta({ id: "RunList" });

const Moment = z.iso.datetime({ offset: true });

/** Largest number of a page, which no list reaches. */
const MAX_PAGE = 1_000_000_000;

export const RunQueryParams = PageQuery.extend({
  status: z.array(RunStatus).optional().describe("One or more, repeated or separated by commas."),
  agent: boundedText(8192).optional().describe("A registered name or an address."),
  alias: alias.optional(),
  prefix: boundedText(36).optional().describe("What the run's id begins with."),
  conversation: conversationId.optional().describe("Id of a conversation."),
  evaluation: boundedText(36).optional().describe("The evaluation that runs were made for."),
  parent: runId.optional().describe("The run whose parts are asked for."),
  root: runId.optional().describe("The run at the top of a tree; it is in the list, too."),
  protocol: boundedText(100).optional().describe("The protocol that the agent is driven by."),
  text: boundedText(200)
    .optional()
    .describe("A part of the id, the alias or the beginning of the task, in any case."),
  created_after: Moment.optional().describe("Only runs that were created then or later."),
  created_before: Moment.optional().describe("Only runs that were created before then."),
  cost_at_least: z.number().positive().optional().describe("In US dollars, of ended runs."),
  violations: z.enum(["true"]).optional().describe("Only runs that broke a rule of their protocol."),
  order: z
    .enum(RUN_ORDERS)
    .meta({ id: "RunOrder" })
    .optional()
    .describe(
      "`newest` when absent. `costliest` lists runs that have a cost, `slowest` runs that began and ended.",
    ),
  page: boundedInt(1, MAX_PAGE)
    .optional()
    .describe("By number, from 1, newest first; with `status` and `agent`, not with a cursor."),
  size: boundedInt(1, MAX_PAGE_LIMIT).optional().describe("Of numbered pages."),
});
