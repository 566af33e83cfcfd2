// Real environments for tests, where this machine can make them, and a look at what they leave.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import type { Profile } from "../../../src/core/environment.ts";
import type { OpenForCase } from "../../../src/environments/environment.case.ts";
import type { PreparedEnvironment, Provider } from "../../../src/environments/provider.ts";
import { findCgroups } from "../../../src/environments/bwrap/cgroup-home.ts";
import { createBwrapProvider } from "../../../src/environments/bwrap/provider.ts";
import { shareLayers } from "../share-environments.ts";
import { preparedEnvironment } from "./prepared.ts";

export interface TestMachine {
  provider: Provider;
  stateDir: string;
  prepared: (request?: Partial<PreparedEnvironment>) => PreparedEnvironment;
  open: (profile: Profile) => OpenForCase;
  /** What is left on this machine of environments of this test, in words. */
  leftovers: () => Promise<string[]>;
}

/** A group of tests that need bubblewrap; skipped with a reason where there is none. */
export async function describeBwrap(name: string, tests: (machine: TestMachine) => void): Promise<void> {
  const stateDir = mkdtempSync(join(tmpdir(), "proctor-bwrap-"));
  shareLayers(stateDir);
  const provider = createBwrapProvider({ stateDir });
  const report = await provider.probe();
  const reason = !report.available
    ? report.detail
    : report.profiles.includes("multi-user")
      ? undefined
      : "the hub is not root";
  const machine: TestMachine = {
    provider,
    stateDir,
    prepared: (request = {}) => preparedEnvironment({ rootName: "host", ...request }),
    open:
      (profile) =>
      (request = {}) =>
        provider.open(machine.prepared({ profile, ...request })),
    leftovers: async () => [
      ...directories(stateDir),
      ...groups(),
      ...processes(stateDir),
      ...mounts(stateDir),
    ],
  };
  if (reason !== undefined) process.stdout.write(`skipped: ${name}: ${reason}\n`);
  describe.skipIf(reason !== undefined)(name, () => {
    afterAll(() => rmSync(stateDir, { recursive: true, force: true }));
    tests(machine);
  });
}

function directories(stateDir: string): string[] {
  const live = join(stateDir, "bwrap/live");
  const found = readdirSync(live);
  const others = readdirSync(stateDir).filter((name) => name !== "bwrap");
  return [...found, ...others].map((name) => `directory ${name}`);
}

function groups(): string[] {
  const homes = new Set(Object.values(findCgroups()).map(({ dir }) => dir));
  return [...homes].flatMap((dir) =>
    readdirSync(dir).filter((name) => name.startsWith(`proctor-case-${process.pid}-`)),
  );
}

/** Those that see a mount of ours. */
function processes(stateDir: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => read(`/proc/${pid}/mountinfo`).includes(stateDir))
    .map((pid) => `process ${pid}: ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`);
}

function mounts(stateDir: string): string[] {
  return read("/proc/self/mountinfo")
    .split("\n")
    .filter((line) => line.includes(stateDir));
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
