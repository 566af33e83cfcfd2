import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { ownProgram, READY_PROGRAMS } from "./own-program.ts";

const before = process.env[READY_PROGRAMS];
afterEach(() => lieReady(before));

/** Set here and not with `vi.stubEnv`, which may change another copy in a worker that has served several projects. */
function lieReady(folder: string | undefined): void {
  if (folder === undefined) delete process.env[READY_PROGRAMS];
  else process.env[READY_PROGRAMS] = folder;
}

describe("a program of ours is started", () => {
  it("as the JavaScript beside a module that is built, whatever lies ready elsewhere", () => {
    lieReady("/elsewhere");
    expect(ownProgram("holder", "file:///opt/dist/part/module.js")).toEqual(["/opt/dist/part/holder.js"]);
  });

  it("from TypeScript with a loader, beside a module of a checkout", () => {
    lieReady(undefined);
    const bridge = new URL("../environments/network/bridge-program.ts", import.meta.url);
    const args = ownProgram("bridge-program", bridge.href);
    expect(args).toEqual(["--import", expect.stringContaining("/tsx/"), fileURLToPath(bridge)]);
    const started = spawnSync(process.execPath, [...args, "[]"], { input: "", encoding: "utf8" });
    expect(started).toMatchObject({ status: 0, stdout: "[]\n", stderr: "" });
  });

  it("from the folder where it lies ready, in tests of a checkout", () => {
    lieReady("/ready");
    expect(ownProgram("holder", import.meta.url)).toEqual(["/ready/holder.js"]);
  });
});
