import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { killUntilGone } from "./kill-until-gone.ts";
import { readStat } from "./proc.ts";
import { findMarked, killMarked } from "./strays.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function sleeper(env: Record<string, string>): number {
  const child = spawn("/bin/sleep", ["3600"], { env, detached: true, stdio: "ignore" });
  started.push(child);
  return child.pid ?? 0;
}

describe.skipIf(process.platform !== "linux")("processes with a mark", () => {
  test("are found by the whole variable and nothing like it", () => {
    const id = randomUUID();
    const first = sleeper({ PROCTOR_RUN_ID: id, OTHER: "1" });
    const last = sleeper({ OTHER: "1", PROCTOR_RUN_ID: id });
    sleeper({ PROCTOR_RUN_ID: `${id}0` });
    sleeper({ X_PROCTOR_RUN_ID: id });
    sleeper({ TEXT: `PROCTOR_RUN_ID=${id}` });
    expect(new Set(findMarked("PROCTOR_RUN_ID", id))).toEqual(new Set([first, last]));
    expect(findMarked("PROCTOR_RUN_ID", id.slice(1))).toEqual([]);
  });

  test("are found by a value of any characters", () => {
    const pid = sleeper({ PROCTOR_HUB_ID: "hüb→1" });
    expect(findMarked("PROCTOR_HUB_ID", "hüb→1")).toEqual([pid]);
  });

  test("are looked for among the newer ones only, when asked to", () => {
    const id = randomUUID();
    const older = sleeper({ PROCTOR_RUN_ID: id });
    const newer = sleeper({ PROCTOR_RUN_ID: id });
    expect(findMarked("PROCTOR_RUN_ID", id, { newerThanPid: older })).toEqual([newer]);
    // The counter cannot be there yet: it must have wrapped, so all are looked at.
    expect(findMarked("PROCTOR_RUN_ID", id, { newerThanPid: 2 ** 22 })).toHaveLength(2);
  });

  test("are killed wherever they are, and counted", async () => {
    const id = randomUUID();
    sleeper({ PROCTOR_HUB_ID: id });
    sleeper({ PROCTOR_HUB_ID: id });
    const other = sleeper({ PROCTOR_HUB_ID: randomUUID() });
    expect(await killMarked("PROCTOR_HUB_ID", id)).toBe(2);
    expect(findMarked("PROCTOR_HUB_ID", id)).toEqual([]);
    expect(process.kill(other, 0)).toBe(true);
    expect(await killMarked("PROCTOR_HUB_ID", id)).toBe(0);
  });
});

test("killing until gone looks again at a process that is just being started", async () => {
  const pid = sleeper({});
  const sightings = [
    { pids: [], unsettled: true },
    { pids: [pid], unsettled: false },
    { pids: [], unsettled: false },
  ];
  expect(await killUntilGone(() => sightings.shift() ?? { pids: [], unsettled: false })).toBe(1);
  expect(sightings).toEqual([]);
});

test("killing until gone waits for an unrecognised process no longer than an exec may take", async () => {
  expect(await killUntilGone(() => ({ pids: [], unsettled: true }))).toBe(0);
});

test.runIf(process.platform === "linux")(
  "killing until gone waits until a killed process is dead",
  async () => {
    const pid = sleeper({});
    let sighted = false;
    // As a dying process does, it shows itself once and then no longer.
    const killed = await killUntilGone(() => {
      const pids = sighted ? [] : [pid];
      sighted = true;
      return { pids, unsettled: false };
    });
    expect(killed).toBe(1);
    expect(readStat(pid)?.ended ?? true).toBe(true);
  },
);
