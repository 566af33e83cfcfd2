// What ACTS says about streams: counts, order, events by position and by kind.
import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/json.ts";
import type { ExpectStream } from "./step-schema.ts";
import { checkStream, viewOf } from "./stream-rules.ts";

const state = (name: string): Json => ({
  statusUpdate: { taskId: "t", status: { state: `TASK_STATE_${name}` } },
});
const artifact: Json = { artifactUpdate: { taskId: "t", artifact: { artifactId: "a", parts: [] } } };
const task: Json = { task: { id: "t", status: { state: "TASK_STATE_SUBMITTED" } } };
const good = [task, state("WORKING"), artifact, state("COMPLETED")];
const check = (expected: ExpectStream, events: Json[] = good, wasLeft = false) =>
  checkStream(expected, { events, wasLeft });

describe("A stream of ACTS", () => {
  it.each<[string, ExpectStream, Json[]]>([
    ["enough events", { min_count: 4 }, good.slice(1)],
    ["not too many events", { max_count: 4 }, [...good, artifact]],
    ["its last event", { final_event: { status: { state: "TASK_STATE_COMPLETED" } } }, good.slice(0, 3)],
    ["its last event, by kind", { final_event: { status_update: { exists: true } } }, good.slice(0, 3)],
    [
      "events by position",
      { events: [{ task: { id: "t" } }, { status_update: { taskId: "t" } }] },
      good.slice(1),
    ],
    ["an event by its index", { events: [{ index: 2, artifact: { exists: true } }] }, good.slice(0, 2)],
    [
      "an event anywhere",
      { events: [{ match: "any_position", description: "an artifact", artifact: { exists: true } }] },
      [task, state("COMPLETED")],
    ],
    ["something in each event", { each_event: { any_of: [{ taskId: "t" }, { id: "t" }] } }, [...good, {}]],
    ["states that do not go back", { ordering: "monotonic_state" }, [state("WORKING"), state("SUBMITTED")]],
    ["nothing after its end", { ordering: "monotonic_state" }, [...good, state("WORKING")]],
    ["no artifact after its end", { ordering: "monotonic_state" }, [...good, artifact]],
  ])("has to have %s", (_what, expected, wrong) => {
    expect(check(expected)).toBeUndefined();
    expect(check(expected, wrong)).toBeDefined();
  });

  it("may skip states, repeat them, and go on after it has waited", () => {
    const states = ["SUBMITTED", "INPUT_REQUIRED", "WORKING", "WORKING", "COMPLETED", "COMPLETED"];
    expect(check({ ordering: "monotonic_state" }, states.map(state))).toBeUndefined();
    expect(check({ ordering: "monotonic_state" }, [state("SUBMITTED"), state("FAILED")])).toBeUndefined();
  });

  it("without events satisfies nothing that is about each of them", () => {
    expect(check({ each_event: { exists: true } }, [])).toMatchObject({ path: "each_event" });
    expect(check({ final_event: { exists: true } }, [])).toMatchObject({ path: "final_event" });
  });

  it("that was left is judged by what came until then", () => {
    const expected: ExpectStream = {
      min_count: 4,
      final_event: { status: { state: "TASK_STATE_COMPLETED" } },
    };
    expect(check(expected, [task], true)).toBeUndefined();
    expect(check({ each_event: { artifact: { exists: true } } }, [task], true)).toBeDefined();
  });

  it("names the events that it shows by kind, and leaves envelopes as they are", () => {
    expect(viewOf(artifact)).toMatchObject({ taskId: "t", artifact_update: { taskId: "t" } });
    const envelope = { jsonrpc: "2.0", id: 1, result: {} };
    expect(viewOf(envelope)).toBe(envelope);
    expect(viewOf({ message: "hello" })).toEqual({ message: "hello" });
  });
});
