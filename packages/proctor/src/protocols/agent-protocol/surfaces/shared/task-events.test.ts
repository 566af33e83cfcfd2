import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventDraft } from "../../../../core/event.ts";
import type { Message } from "../../../../core/message.ts";
import type { Answer, Question } from "../../../../core/question.ts";
import { CLIENT_AGENT, CLIENT_WORKER, type TerminalStatus } from "../../../../core/run.ts";
import { NOTHING_YET, TASK_EVENT_TYPES, taskEvents, type TaskEvent } from "./task-events.ts";

const RUN = "01890a5d-ac96-774b-bcce-b302099a8057";
const CREATED: EventDraft = {
  type: "run.created",
  payload: {
    agent: "agent",
    spec: { protocol: "atp", transport: "stdio" },
    task: { description: "do it" },
    constraints: {},
    context: {},
    metadata: {},
    retry: null,
    attempt: 1,
    retry_of: null,
    trace_id: "0".repeat(32),
  },
};
const STARTED: EventDraft[] = [
  CREATED,
  { type: "run.queued", payload: {} },
  { type: "run.started", payload: { worker: "w" } },
];
const CLIENT: EventDraft[] = [
  { ...CREATED, payload: { ...CREATED.payload, agent: CLIENT_AGENT } },
  { type: "run.started", payload: { worker: CLIENT_WORKER } },
];

function tell(drafts: readonly EventDraft[]): TaskEvent[] {
  const all: TaskEvent[] = [];
  let state = NOTHING_YET;
  for (const [sequence, draft] of drafts.entries()) {
    const timestamp = new Date(1_700_000_000_000 + sequence).toISOString();
    const { events, after } = taskEvents({ run_id: RUN, sequence, timestamp, ...draft }, state);
    all.push(...events);
    state = after;
  }
  return all;
}

const typesOf = (drafts: readonly EventDraft[]): string[] => tell(drafts).map(({ type }) => type);
const ended = (status: TerminalStatus): EventDraft => ({
  type: "run.ended",
  payload: { status },
});

describe("the task events of a run", () => {
  it.each([
    ["completed", "task.completed"],
    ["partial", "task.completed"],
    ["failed", "task.failed"],
    ["timeout", "task.failed"],
    ["cancelled", "task.cancelled"],
    ["rejected", "task.failed"],
  ] as const)("show the end %s as %s", (status, type) => {
    expect(typesOf([...CLIENT, ended(status)])).toEqual(["task.created", "task.started", type]);
  });

  it("do not show the queue", () => {
    expect(typesOf(STARTED)).toEqual(["task.created", "task.started"]);
  });

  it("show a task that asks and is parked as one that goes on, and say nothing of what was said", () => {
    const question: Question = {
      id: "q",
      kind: "input",
      parts: [{ kind: "text", text: "what?" }],
      blocking: true,
      audience: "client",
      expires_at: "2030-01-01T00:00:00.000Z",
    };
    const answer: Answer = { id: "a", by: { kind: "client" }, outcome: "given" };
    const message: Message = { id: "m", role: "agent", parts: [{ kind: "text", text: "hello" }] };
    const drafts: EventDraft[] = [
      ...STARTED,
      { type: "session.opened", payload: { protocol: "puppet" } },
      { type: "message.added", payload: { message } },
      { type: "question.asked", payload: { question } },
      { type: "session.parked", payload: {} },
      { type: "question.answered", payload: { id: "q", answer } },
      { type: "run.started", payload: { worker: "other" } },
      { type: "question.delivered", payload: { id: "q" } },
      { type: "run.pause_requested", payload: {} },
      { type: "run.paused", payload: {} },
      ended("cancelled"),
    ];
    expect(typesOf(drafts).filter((type) => !type.startsWith("step."))).toEqual([
      "task.created",
      "task.started",
      "task.paused",
      "task.cancelled",
    ]);
  });

  it("show each change of a step", () => {
    const change = (payload: object): EventDraft => ({
      type: "step.changed",
      payload: { step_id: "s", ...payload },
    });
    const events = tell([
      ...CLIENT,
      { type: "step.added", payload: { step_id: "s", name: "n", input: 1, additional_input: {} } },
      change({ output: "not yet" }),
      change({ status: "running" }),
      change({ output: "half" }),
      change({ status: "completed", output: "all" }),
    ]).slice(2);
    expect(events.map(({ type, data }) => [type, (data as { output: unknown }).output])).toEqual([
      ["step.created", null],
      ["step.started", "not yet"],
      ["step.running", "half"],
      ["step.completed", "all"],
    ]);
  });

  it("name the step of an artifact, which does not count as a change of the step", () => {
    const artifact = { id: "a", type: "file", path: "x/y.txt", agent_created: false } as const;
    const events = tell([
      ...CLIENT,
      { type: "step.added", payload: { step_id: "s", name: "n", input: null, additional_input: {} } },
      { type: "artifact.added", payload: { artifact, step_id: "s", by: "client" } },
      { type: "step.changed", payload: { step_id: "s", status: "running" } },
      { type: "artifact.removed", payload: { artifact_id: "a" } },
    ]).slice(3);
    expect(events).toMatchObject([
      {
        type: "artifact.created",
        step_id: "s",
        artifact_id: "a",
        data: { file_name: "y.txt", relative_path: "x/y.txt" },
      },
      { type: "step.started", data: { artifacts: [{ artifact_id: "a" }] } },
      { type: "artifact.deleted", artifact_id: "a" },
    ]);
  });

  it("turn texts into logs", () => {
    const events = tell([
      ...STARTED,
      { type: "log", payload: { stream: "stderr", text: "Log message" } },
      { type: "error", payload: { message: "oops" } },
      { type: "error", payload: {} },
      { type: "violation", payload: { rule: "atp.x", message: "broke a rule" } },
    ]).slice(2);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ["log", "Log message"],
      ["log", "oops"],
      ["log", "the agent reported an error"],
      ["log", "broke a rule"],
    ]);
  });

  it("are numbered without gaps and show each step's life in order, whatever an agent sends", () => {
    const text = fc.option(fc.string({ maxLength: 5 }), { nil: undefined });
    const agentEvent: fc.Arbitrary<EventDraft> = fc.oneof(
      fc.record({
        type: fc.constant("tool_call" as const),
        payload: fc.record(
          {
            tool: text,
            call_id: fc.constantFrom("1", "2"),
            status: fc.constantFrom("started", "running", "success", "error"),
          },
          { requiredKeys: ["call_id"] },
        ),
      }),
      fc.record({ type: fc.constant("reasoning" as const), payload: fc.record({ thought: text }) }),
      fc.record({ type: fc.constant("progress" as const), payload: fc.record({ message: text }) }),
      fc.record({
        type: fc.constant("log" as const),
        payload: fc.record({ stream: fc.constant("stdout" as const), text: fc.string() }),
      }),
      // Fields may be of any type, whatever the types promise.
    ) as fc.Arbitrary<EventDraft>;
    fc.assert(
      fc.property(
        fc.array(agentEvent, { maxLength: 30 }),
        fc.constantFrom("completed", "failed", "cancelled"),
        (drafts, status) => {
          const events = tell([...STARTED, ...drafts, ended(status)]);
          expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
          const lives = new Map<string, string[]>();
          for (const { type, step_id } of events) {
            expect(TASK_EVENT_TYPES).toContain(type);
            if (step_id === undefined) continue;
            lives.set(step_id, [...(lives.get(step_id) ?? []), type.slice("step.".length)]);
          }
          for (const life of lives.values())
            expect(life.join(" ")).toMatch(/^created (?:started (?:running )*)?(?:completed|failed)$/);
          expect(events.at(-1)?.type).toBe(`task.${status}`);
        },
      ),
    );
  });
});
