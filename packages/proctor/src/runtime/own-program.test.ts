import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ownProgram, READY_PROGRAMS } from "./own-program.ts";

afterEach(() => vi.unstubAllEnvs());

describe("a program of ours is started", () => {
  it("as the JavaScript beside a module that is built, whatever lies ready elsewhere", () => {
    vi.stubEnv(READY_PROGRAMS, "/elsewhere");
    expect(ownProgram("holder", "file:///opt/dist/part/module.js")).toEqual(["/opt/dist/part/holder.js"]);
  });

  it("from TypeScript with a loader, beside a module of a checkout", () => {
    vi.stubEnv(READY_PROGRAMS, undefined);
    const bridge = new URL("../environments/network/bridge-program.ts", import.meta.url);
    const args = ownProgram("bridge-program", bridge.href);
    expect(args).toEqual(["--import", expect.stringContaining("/tsx/"), fileURLToPath(bridge)]);
    const started = spawnSync(process.execPath, [...args, "[]"], { input: "", encoding: "utf8" });
    expect(started).toMatchObject({ status: 0, stdout: "[]\n", stderr: "" });
  });

  it("from the folder where it lies ready, in tests of a checkout", () => {
    vi.stubEnv(READY_PROGRAMS, "/ready");
    expect(ownProgram("holder", import.meta.url)).toEqual(["/ready/holder.js"]);
  });
});
