import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { eventually } from "../../../test/support/eventually.ts";
import { formatIdentity, isAlive, ownIdentity, parseIdentity } from "./identity.ts";

describe("the identity of a process", () => {
  it("says that this process is alive", () => {
    expect(isAlive(ownIdentity())).toBe(true);
    expect(isAlive({ ...ownIdentity(), startTime: null })).toBe(true);
  });

  it("is not alive once the process has ended", () => {
    expect(isAlive({ pid: spawnSync("true").pid, startTime: null })).toBe(false);
  });

  it.runIf(process.platform === "linux")("is not alive when a later process has the same pid", () => {
    expect(isAlive({ ...ownIdentity(), startTime: "1" })).toBe(false);
  });

  it.runIf(process.platform === "linux")("is not alive as a zombie", async () => {
    // The shell becomes `sleep`, which never collects the child that ended.
    const parent = spawn("sh", ["-c", "sh -c 'echo $$' & exec sleep 1000"]);
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    await eventually(() => expect(isAlive({ pid: Number(line), startTime: null })).toBe(false));
    parent.kill("SIGKILL");
  });

  it("is never alive for a number that is no process", () => {
    for (const pid of [0, -1, 1.5, Number.NaN]) expect(isAlive({ pid, startTime: null })).toBe(false);
  });

  it("is alive for a process of another user", () => {
    expect(isAlive({ pid: 1, startTime: null })).toBe(true);
  });

  it("survives as the name of a file", () => {
    for (const identity of [ownIdentity(), { pid: 7, startTime: null }, { pid: 7, startTime: "123" }])
      expect(parseIdentity(formatIdentity(identity))).toEqual(identity);
    for (const text of ["", "7", "7-", "-7", "7-1-2", "a-b"]) expect(parseIdentity(text)).toBeUndefined();
  });
});
