// A run that meets a full disk before it has begun, where others may take it and where nobody else could.
import { afterEach, describe, expect, it } from "vitest";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../../test/support/test-hub.ts";
import type { Room } from "../core/ports/room.ts";
import type { Workspaces } from "../core/ports/workspaces.ts";

let hub: TestHub;
afterEach(() => hub.close());

/** A disk that is full when a run wants its directory, and that is looked at when the test says so. */
function fullDisk(): { room: Room; clear: () => void; wrapWorkspaces: (real: Workspaces) => Workspaces } {
  let isFull = true;
  let reason: string | undefined;
  return {
    room: { full: () => reason, met: () => void (reason = "no room") },
    clear() {
      isFull = false;
      reason = undefined;
    },
    wrapWorkspaces: (real) => ({
      ...real,
      create: (...asked) =>
        isFull
          ? Promise.reject(
              new Error("it cannot be made", { cause: Object.assign(new Error(), { code: "ENOSPC" }) }),
            )
          : real.create(...asked),
    }),
  };
}

async function submit(options: TestHubOptions): Promise<string> {
  hub = await openTestHub(options);
  const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" } });
  return run.id;
}

const types = async (id: string): Promise<string[]> => (await hub.log(id)).map(({ type }) => type);

describe("a full disk", () => {
  it("gives back a run that has not begun, takes none meanwhile, and goes on when there is room", async () => {
    const driver = createScriptedDriver();
    const { room, clear, wrapWorkspaces } = fullDisk();
    const id = await submit({ driver, room, wrapWorkspaces });
    await hub.until(id, ({ type }) => type === "session.parked");
    const second = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "later" } });
    hub.engine.wake();
    expect(await hub.hub.run(id)).toMatchObject({ status: "queued", failure: null });
    clear();
    hub.engine.wake();
    // In whichever order they come.
    for (const index of [0, 1]) (await driver.session(index)).end();
    for (const runId of [id, second.run.id])
      expect(await hub.ended(runId)).toMatchObject({ status: "completed" });
    expect((await types(id)).filter((type) => /^(?:run|session)\./.test(type))).toEqual([
      "run.created",
      "run.queued",
      "run.started",
      "session.parked",
      "run.started",
      "run.ended",
    ]);
    expect(await types(second.run.id)).not.toContain("session.parked");
  });

  it("fails a run where nobody else could take it", async () => {
    const { wrapWorkspaces } = fullDisk();
    const id = await submit({ driver: createScriptedDriver(), wrapWorkspaces });
    expect(await hub.ended(id)).toMatchObject({ status: "failed", failure: { code: "WORKSPACE_FAILED" } });
  });
});
