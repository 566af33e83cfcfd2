// Commands in a persistent shell, one after the other, against a bare bash that is fed the same through its pipes.
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { startHere } from "../packages/proctor/src/runtime/processes/start-here.ts";
import { openShell } from "../packages/proctor/src/environments/shell/open-shell.ts";
import { inTurns, median, secondsOf, type Result } from "./measure.ts";

const COMMANDS = 2000;
const PATH = process.env["PATH"] ?? "/usr/bin:/bin";

export async function bench(): Promise<Result[]> {
  const bare = startBare();
  const shell = await openShell(({ command }) => startHere({ command, env: { PATH }, cwd: "/" }), {
    workdir: tmpdir(),
  });
  try {
    const cpuMs: number[] = [];
    const seconds = await inTurns(
      9,
      () => secondsOf(bare.run),
      async () => {
        const before = process.cpuUsage();
        const took = await secondsOf(async () => {
          for (let count = 0; count < COMMANDS; count++) await shell.run("true", { timeoutMs: 10_000 });
        });
        const used = process.cpuUsage(before);
        cpuMs.push((used.user + used.system) / 1000 / COMMANDS);
        return took;
      },
    );
    const details = { "bare/s": COMMANDS / seconds.bare, "ours/s": COMMANDS / seconds.ours };
    return [
      {
        name: "shell-steps",
        what: "`true` in a persistent shell per second / the same bash fed by hand",
        value: seconds.bare / seconds.ours,
        bound: { atLeast: 0.25 },
        unit: "ratio",
        details,
      },
      {
        name: "shell-step-cpu",
        what: "CPU of the hub for each command in a persistent shell",
        value: median(cpuMs),
        bound: { atMost: 0.3 },
        unit: "ms",
        details,
      },
    ];
  } finally {
    await shell.close();
    bare.close();
  }
}

/** Starts a bash that reports exit codes with the least effort: no directory, no unguessable marker, no time limit. */
function startBare(): { run: () => Promise<void>; close: () => void } {
  // It gets a session of its own like ours, because on a busy machine the scheduler gives each session its share.
  const child = spawn("bash", ["--noprofile", "--norc"], {
    env: { PATH },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  let answered = (): void => undefined;
  child.stdout.on("data", (chunk: Buffer) => {
    if (chunk.at(-1) === 0) answered();
  });
  return {
    async run() {
      for (let count = 0; count < COMMANDS; count++) {
        await new Promise<void>((resolve) => {
          answered = resolve;
          child.stdin.write("true </dev/null\nprintf '%s\\0' \"$?\"\n");
        });
      }
    },
    close: () => void child.stdin.end(),
  };
}
