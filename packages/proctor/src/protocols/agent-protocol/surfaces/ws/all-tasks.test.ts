import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../../core/event.ts";
import type { Hub } from "../../../../core/ports/hub.ts";
import { createAllTasks } from "./all-tasks.ts";

const TASK = "01900000-0000-7000-8000-000000000000";

function event(sequence: number, type: RunEvent["type"], payload: object): RunEvent {
  // The payloads are of their types.
  return { run_id: TASK, sequence, timestamp: "2024-01-15T10:30:00.000Z", type, payload } as RunEvent;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("listeners to all tasks on /ws", () => {
  it("get nothing twice when one leaves and another comes while the log is being read", async () => {
    const log: RunEvent[] = [
      event(0, "run.created", { agent: "client:", task: { description: "x" }, metadata: {} }),
      event(1, "run.started", { worker: "client" }),
    ];
    const pages: (() => void)[] = [];
    // All that it asks of a hub; a page arrives when the test says so.
    const hub = {
      events: (_id: string, { after = -1 }) =>
        new Promise((resolve) => pages.push(() => resolve(log.slice(after + 1)))),
    } as unknown as Hub;
    const all = createAllTasks({ hub, report: (problem) => expect.fail(String(problem)) });
    const leave = all.join(() => undefined);
    all.grown(TASK, -1, 1);
    leave();
    const seqs: number[] = [];
    all.join(({ seq }) => seqs.push(seq));
    log.push(event(2, "log", { stream: "stdout", text: "new" }));
    all.grown(TASK, 1, 2);
    while (pages.length > 0) {
      pages.shift()?.();
      await turn();
    }
    expect(seqs).toEqual([2]);
  });
});
