// A gigabyte of output of one command in a persistent shell, against the same program read through a pipe and dropped.
import { spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { startHere } from "../packages/proctor/src/runtime/processes/start-here.ts";
import { openShell } from "../packages/proctor/src/environments/shell/open-shell.ts";
import { median, secondsOf, type Result } from "./measure.ts";

const GIGABYTE = 1024 ** 3;
const ROUNDS = 5;
const PATH = process.env["PATH"] ?? "/usr/bin:/bin";

export async function bench(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-output-"));
  const file = join(folder, "gigabyte");
  await pipeline(lines(), createWriteStream(file));
  const shell = await openShell(({ command }) => startHere({ command, env: { PATH }, cwd: "/" }), {
    workdir: folder,
    spillDir: folder,
  });
  try {
    const bare: number[] = [];
    const pipe: number[] = [];
    const ours: number[] = [];
    let growth = 0;
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await secondsOf(() => read(file)));
      pipe.push(
        await secondsOf(() =>
          ended(spawn("sh", ["-c", `cat ${file} | cat > /dev/null`], { stdio: "ignore", detached: true })),
        ),
      );
      const before = process.memoryUsage().rss;
      let peak = before;
      const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
      ours.push(
        await secondsOf(async () => {
          const { output, whole } = await shell.run(`cat ${file}`, { timeoutMs: 120_000 });
          if (output.bytes !== GIGABYTE) throw new Error(`only ${output.bytes} bytes came`);
          await whole?.remove();
        }),
      );
      clearInterval(sampler);
      // The first round grows buffers that later rounds reuse.
      if (round > 0) growth = Math.max(growth, (peak - before) / 1024 ** 2);
    }
    const rate = (seconds: readonly number[]): number => GIGABYTE / 1e6 / median(seconds);
    const details = {
      "cat | cat MB/s": rate(pipe),
      "ours MB/s": rate(ours),
      "read and dropped MB/s": rate(bare),
    };
    return [
      {
        name: "shell-output",
        what: "1 GB of a command's output through a shell / the same from one `cat` to another through a pipe",
        value: rate(ours) / rate(pipe),
        bound: { atLeast: 0.5 },
        unit: "ratio",
        details,
      },
      {
        name: "shell-memory",
        what: "growth of resident memory during 1 GB of a command's output",
        value: growth,
        bound: { atMost: 20 },
        unit: "MB",
        details,
      },
    ];
  } finally {
    await shell.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function* lines(): Generator<Buffer> {
  const chunk = Buffer.alloc(1024 ** 2);
  for (let at = 0, line = 0; at < chunk.length; line++)
    at += chunk.write(`line ${line} of a long output, in words\n`, at);
  for (let count = 0; count < 1024; count++) yield chunk;
}

async function read(file: string): Promise<void> {
  // It gets a session of its own like ours, because on a busy machine the scheduler gives each session its share.
  const child = spawn("cat", [file], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  child.stdout.resume();
  await ended(child);
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => void child.once("error", reject).once("close", () => resolve()));
}
