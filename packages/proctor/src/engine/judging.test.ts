import { describe, expect, it } from "vitest";
import { createManualClock } from "../../test/support/manual-clock.ts";
import type { Environment } from "../core/ports/environments.ts";
import type { Run } from "../core/run.ts";
import { createJudging, type Judging } from "./judging.ts";

const HOUR_MS = 60 * 60 * 1000;

function stage(): { judging: Judging; clock: ReturnType<typeof createManualClock>; open: Set<string> } {
  const clock = createManualClock();
  const open = new Set(["r-terminal"]);
  // Only what is asked of a terminal here.
  const terminal = (id: string) => ({ destroy: async () => void open.delete(id) }) as unknown as Environment;
  const judging = createJudging({
    workspaces: { openKept: () => Promise.resolve(undefined) },
    environments: { find: (id) => (open.has(id) ? terminal(id) : undefined) },
    verify: () => Promise.reject(new Error("nothing is judged here")),
    clock,
    report: (problem) => expect.fail(String(problem)),
  });
  return { judging, clock, open };
}

describe("a terminal that is held for its checks", () => {
  it("is destroyed when it is released", async () => {
    const { judging, open } = stage();
    judging.onHeld("r");
    await judging.release({ id: "r", options: {} } as Run);
    expect(open).toEqual(new Set());
  });

  it("is destroyed after an hour where nobody releases it", () => {
    const { judging, clock, open } = stage();
    judging.onHeld("r");
    clock.advance(HOUR_MS - 1);
    expect(open.size).toBe(1);
    clock.advance(1);
    expect(open.size).toBe(0);
  });

  it("leaves no timer behind when the hub closes", () => {
    const { judging, clock, open } = stage();
    judging.onHeld("r");
    judging.close();
    clock.advance(HOUR_MS);
    expect(open.size).toBe(1);
  });
});
