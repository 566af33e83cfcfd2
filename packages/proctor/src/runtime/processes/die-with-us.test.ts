// Real programs that exit without closing what they started.
import { spawn, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { moduleLiteral, scriptArgs } from "../../../test/support/source-script.ts";
import { dieWithUs } from "./die-with-us.ts";
import { isAlive } from "./identity.ts";

const module = (name: string): string => moduleLiteral(name, import.meta.url);

/** Runs a program that starts a sleeper and exits; gives the sleeper's pid. */
function exitWithSleeper(letGo: boolean): number {
  const source = `
    import { spawn } from "node:child_process";
    import { dieWithUs } from ${module("./die-with-us.ts")};
    const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    const letGo = dieWithUs(() => process.kill(-child.pid, "SIGKILL"));
    if (${letGo}) letGo();
    console.log(child.pid);
    process.exit(3);`;
  const { status, stdout } = spawnSync(process.execPath, scriptArgs(source), { encoding: "utf8" });
  expect(status).toBe(3);
  return Number(stdout);
}

describe("a process that exits", () => {
  it("kills the groups that were to die with it", async () => {
    const pid = exitWithSleeper(false);
    await eventually(() => expect(isAlive({ pid, startTime: null })).toBe(false));
  });

  it("leaves the groups running that were let go before", () => {
    const pid = exitWithSleeper(true);
    expect(isAlive({ pid, startTime: null })).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  it("keeps no listener for groups that are let go", () => {
    const before = process.listenerCount("exit");
    const child = spawn("true");
    const releases = [dieWithUs(() => child.kill()), dieWithUs(() => child.kill())];
    expect(process.listenerCount("exit")).toBe(before + 1);
    for (const release of releases) release();
    expect(process.listenerCount("exit")).toBe(before);
  });
});
