// What is read of processes under /proc, with real ones.
import { spawn, type ChildProcess } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { isGroupBusy, readCommandLine } from "./proc.ts";

const started: ChildProcess[] = [];
afterEach(() => started.splice(0).forEach((child) => child.kill("SIGKILL")));

function start(script: string): number {
  const child = spawn("sh", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  started.push(child);
  return child.pid ?? 0;
}

describe.runIf(process.platform === "linux")("a command line", () => {
  it("is read as the words of it, empty ones included, and is empty when there is no process", async () => {
    const pid = start("exec sh -c 'read line' '' 'a b' ''");
    await eventually(() => expect(readCommandLine(pid)).toEqual(["sh", "-c", "read line", "", "a b", ""]));
    expect(readCommandLine(2 ** 22 - 1)).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")("a process group", () => {
  it("is busy while one of its processes computes, even when its leader waits", async () => {
    const group = start("trap 'kill $!' EXIT TERM; (while :; do :; done) & wait");
    await eventually(() => expect(isGroupBusy(group)).toBe(true));
    process.kill(-group, "SIGKILL");
  });

  it("rests while it waits for input or sleeps", async () => {
    const [reader, sleeper] = [start("read line"), start("sleep 1000")];
    await eventually(() => expect([isGroupBusy(reader), isGroupBusy(sleeper)]).toEqual([false, false]));
    process.kill(-sleeper, "SIGKILL");
  });

  it("is not busy when it is gone", () => {
    expect(isGroupBusy(2 ** 22 - 1)).toBe(false);
  });
});
