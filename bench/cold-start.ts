// How long `proctor --version` takes, against Node doing nothing.
import { spawnSync } from "node:child_process";
import { inTurns, secondsOf, type Result } from "./measure.ts";
import { PROGRAM } from "./processes.ts";

export async function bench(): Promise<Result> {
  const { bare, ours } = await inTurns(
    21,
    () => time(["-e", "0"]),
    () => time([PROGRAM, "--version"]),
  );
  return {
    name: "cold-start",
    what: "proctor --version / node -e 0",
    value: ours / bare,
    bound: { atMost: 2 },
    unit: "ratio",
    details: { "bare ms": bare * 1000, "ours ms": ours * 1000 },
  };
}

function time(args: string[]): Promise<number> {
  return secondsOf(async () => {
    const { status } = spawnSync(process.execPath, args);
    if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}`);
  });
}
