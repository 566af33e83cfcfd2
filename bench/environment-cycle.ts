// Creating an environment of bubblewrap, running `true` in it and destroying it, against the bare sequence of programs: `mount` for an
// overlay over this machine's root, `bwrap` on it, and `umount`.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "../packages/proctor/src/core/environment.ts";
import { createBwrapProvider } from "../packages/proctor/src/environments/bwrap/provider.ts";
import type { Provider } from "../packages/proctor/src/environments/provider.ts";
import { inTurns, secondsOf, type Result } from "./measure.ts";

const CYCLES = 10;
const ROUNDS = 9;

export async function bench(): Promise<Result[]> {
  const stateDir = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  try {
    const provider = createBwrapProvider({ stateDir });
    const { available, profiles, detail } = await provider.probe();
    if (!available || !profiles.includes("multi-user")) {
      console.error(
        `skipped: environment-cycle: ${available ? "mounting in this name space needs root" : detail}`,
      );
      return [];
    }
    const seconds = await inTurns(
      ROUNDS,
      () => secondsOf(() => repeat((index) => bareCycle(join(stateDir, `bare-${index}`)))),
      () => secondsOf(() => repeat((index) => ourCycle(provider, `bench-${process.pid}-${index}`))),
    );
    return [
      {
        name: "environment-cycle",
        what: "create, run true, destroy in bwrap / mount overlay, bwrap true, umount",
        value: seconds.ours / seconds.bare,
        bound: { atMost: 1.5 },
        unit: "ratio",
        details: { "bare ms": (seconds.bare / CYCLES) * 1000, "ours ms": (seconds.ours / CYCLES) * 1000 },
      },
    ];
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
}

async function repeat(cycle: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < CYCLES; index++) await cycle(index);
}

/** Does less than ours: writes go to the disk without a limit, and the whole machine is visible. */
async function bareCycle(dir: string): Promise<void> {
  const [upper, work, merged] = ["upper", "work", "merged"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [upper, work, merged]) mkdirSync(path, { recursive: true });
  await run("mount", [
    "-t",
    "overlay",
    "overlay",
    "-o",
    `lowerdir=/,upperdir=${upper},workdir=${work}`,
    merged,
  ]);
  try {
    await run("bwrap", [
      "--bind",
      merged,
      "/",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
      "--unshare-all",
      "--die-with-parent",
      "true",
    ]);
  } finally {
    await run("umount", [merged]);
    rmSync(dir, { recursive: true, force: true });
  }
}

async function ourCycle(provider: Provider, id: string): Promise<void> {
  const environment = await provider.open({
    id,
    role: "terminal",
    options: { limits: { ...DEFAULT_LIMITS } },
    signal: new AbortController().signal,
    profile: "strict",
    layers: [],
    workdir: "/app",
    env: {},
    rootName: "host",
    notes: [],
  });
  try {
    const { code } = await environment.run({ command: ["true"], timeoutMs: 10_000 });
    if (code !== 0) throw new Error(`true ended with ${code}`);
  } finally {
    await environment.destroy();
  }
}

function run(program: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args);
    child.stdout.resume();
    child.stderr.resume();
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}
