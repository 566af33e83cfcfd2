import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventDraft, RunEvent } from "./event.ts";
import { foldAllSteps, NO_STEPS } from "./fold-steps.ts";
import { uuidV7 } from "./id.ts";
import type { ClientDraft, ClientState } from "./ports/hub.ts";
import { CLIENT_AGENT, isTerminal, TERMINAL_STATUSES } from "./run.ts";
import { isOver, STEP_STATUSES, type StepStatus } from "./step.ts";
import { planTold, STEP_TRANSITIONS } from "./step-machine.ts";
import { propertyRuns } from "../../test/support/property-runs.ts";

const ids = Array.from({ length: 4 }, () => uuidV7());

/** A client's run as a log, and what its client may report. */
function createModel() {
  const nothing = { constraints: {}, context: {}, metadata: {}, retry: null, attempt: 1, retry_of: null };
  const spec = { protocol: "client", transport: "none" };
  const log: RunEvent[] = [];
  const append = (drafts: readonly EventDraft[]): void => {
    for (const draft of drafts) {
      log.push({
        run_id: "r",
        sequence: log.length,
        timestamp: new Date(log.length * 1000).toISOString(),
        ...draft,
      });
    }
  };
  append([
    {
      type: "run.created",
      payload: {
        agent: CLIENT_AGENT,
        spec,
        task: { description: "do" },
        trace_id: "0".repeat(32),
        ...nothing,
      },
    },
    { type: "run.started", payload: { worker: "client" } },
  ]);
  function state(): ClientState {
    const { run, steps } = foldAllSteps(NO_STEPS, log);
    if (run === null) throw new Error("it was created");
    return { run: run.run, steps, sequence: log.length - 1 };
  }
  const tell = (...drafts: ClientDraft[]): ClientState => {
    append(planTold(state(), drafts));
    return state();
  };
  return { log, state, tell };
}

const add = (id: string): ClientDraft => ({
  type: "step.added",
  payload: { step_id: id, name: "s", input: null, additional_input: {} },
});
const change = (id: string, changes: object): ClientDraft => ({
  type: "step.changed",
  payload: { step_id: id, ...changes },
});
const [a = "", b = ""] = ids;

function at(status: StepStatus) {
  const model = createModel();
  model.tell(add(a));
  if (status !== "created") model.tell(change(a, { status }));
  return model;
}

describe("a step", () => {
  it.each(STEP_STATUSES.flatMap((from) => STEP_STATUSES.map((to) => [from, to] as const)))(
    "goes from %s to %s only if the table says so, or stays",
    (from, to) => {
      const { tell } = at(from);
      const allowed = from === to || STEP_TRANSITIONS[from].includes(to);
      if (allowed) expect(tell(change(a, { status: to })).steps[0]?.status).toBe(to);
      else expect(() => tell(change(a, { status: to }))).toThrow(`cannot become ${to}`);
    },
  );

  it.each(STEP_STATUSES)("that is %s takes more fields with the same status", (status) => {
    const { tell } = at(status);
    const told = tell(change(a, { status, output: { n: 1 }, additional_output: { m: 2 } }));
    expect(told.steps[0]).toMatchObject({ status, output: { n: 1 }, additional_output: { m: 2 } });
  });

  it("records running again while it runs, and ignores any other status that it has already", () => {
    const running = at("running");
    running.tell(change(a, { status: "running" }));
    expect(running.log.filter(({ type }) => type === "step.changed")).toHaveLength(2);
    const over = at("completed");
    over.tell(change(a, { status: "completed" }), change(a, {}));
    expect(over.log.filter(({ type }) => type === "step.changed")).toHaveLength(1);
  });

  it("refuses to change when it belongs to an agent", () => {
    const { state } = createModel();
    const { run } = state();
    const steps = foldAllSteps(NO_STEPS, createModel().log).steps;
    const executor = { ...at("running").state().steps[0]!, owner: "executor" as const };
    expect(() =>
      planTold({ run, steps: [...steps, executor], sequence: 1 }, [change(a, { status: "completed" })]),
    ).toThrow(/owned by the agent/);
  });
});

describe("the end of a client's run", () => {
  it("comes with the last step, whenever the client says that it is the last", () => {
    expect(at("running").tell(change(a, { status: "completed", is_last: true })).run.status).toBe(
      "completed",
    );
    expect(at("running").tell(change(a, { status: "failed", is_last: true })).run.status).toBe("failed");
    expect(at("completed").tell(change(a, { is_last: true })).run.status).toBe("completed");
    const early = at("created");
    expect(early.tell(change(a, { is_last: true })).run.status).toBe("running");
    expect(early.tell(change(a, { status: "completed" })).run.status).toBe("completed");
    expect(at("running").tell(change(a, { status: "completed", is_last: false })).run.status).toBe("running");
  });

  it.each(TERMINAL_STATUSES)("as %s leaves nothing running", (status) => {
    const { tell } = at("running");
    const { run, steps } = tell(add(b), { type: "run.ended", payload: { status } });
    expect(run.status).toBe(status);
    expect(steps.map((step) => step.status)).toEqual(["failed", "created"]);
    expect(() => tell({ type: "run.ended", payload: { status } })).toThrow(status);
  });
});

const draft: fc.Arbitrary<ClientDraft> = fc.oneof(
  fc.constantFrom(...ids).map(add),
  {
    weight: 4,
    arbitrary: fc
      .record(
        {
          id: fc.constantFrom(...ids),
          status: fc.constantFrom(...STEP_STATUSES),
          is_last: fc.boolean(),
          output: fc.constantFrom(null, { n: 1 }),
        },
        { requiredKeys: ["id"] },
      )
      .map(({ id, is_last, ...rest }) => change(id, { ...rest, ...(is_last === true && { is_last }) })),
  },
  fc.constantFrom<ClientDraft>({ type: "run.paused", payload: {} }, { type: "run.resumed", payload: {} }),
  fc.constant<ClientDraft>({ type: "run.ended", payload: { status: "cancelled" } }),
);

it("a client's run reaches no illegal state, whatever its client reports in whatever order", () => {
  fc.assert(
    fc.property(fc.array(fc.array(draft, { minLength: 1, maxLength: 4 }), { maxLength: 25 }), (batches) => {
      const { tell, state, log } = createModel();
      for (const batch of batches) {
        const before = state();
        const length = log.length;
        try {
          tell(...batch);
        } catch (error) {
          expect(error).toMatchObject({ name: "ProctorError" });
          expect(log).toHaveLength(length);
          continue;
        }
        checkMove(before, state(), log.slice(length));
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});

/** Every step moved by the table, time after time; nothing changed after the end; nothing is running in an ended run. */
function checkMove(before: ClientState, after: ClientState, events: readonly RunEvent[]): void {
  if (isTerminal(before.run.status)) expect(after).toEqual(before);
  if (isTerminal(after.run.status)) {
    expect(after.steps.filter(({ status }) => status === "running")).toEqual([]);
    if (!isTerminal(before.run.status)) expect(events.at(-1)?.type).toBe("run.ended");
  } else {
    expect(after.steps.some(({ status, is_last }) => is_last && isOver(status))).toBe(false);
  }
  expect(after.steps.map(({ index }) => index)).toEqual(after.steps.map((_, index) => index));
  const statuses = new Map(before.steps.map(({ id, status }) => [id, status]));
  for (const event of events) {
    if (event.type === "step.added") {
      expect(statuses.has(event.payload.step_id)).toBe(false);
      statuses.set(event.payload.step_id, "created");
    }
    if (event.type !== "step.changed" || event.payload.status === undefined) continue;
    const from = statuses.get(event.payload.step_id) ?? "created";
    const { status } = event.payload;
    expect(from === status || STEP_TRANSITIONS[from].includes(status)).toBe(true);
    statuses.set(event.payload.step_id, status);
  }
  for (const { id, status, started_at, completed_at } of after.steps) {
    expect(statuses.get(id)).toBe(status);
    expect(started_at === null).toBe(status === "created");
    expect(completed_at === null).toBe(!isOver(status));
  }
}
