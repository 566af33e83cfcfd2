// Steps of a terminal agent on the built hub (its program, a JSON line each way, a command in the run's shell, an event in the log)
// against the same agent and the same shell with nothing between them. The speed of the agent with a plain bash, without framing, limits
// or a log, is in the details.
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { baseEnvironment } from "../packages/proctor/src/channels/process/base-environment.ts";
import type { Shell } from "../packages/proctor/src/core/ports/environments.ts";
import { startHere } from "../packages/proctor/src/runtime/processes/start-here.ts";
import { openShell } from "../packages/proctor/src/environments/shell/open-shell.ts";
import { median, type Result } from "./measure.ts";
import { cpuSeconds, PROGRAM } from "./processes.ts";

const AGENT = fileURLToPath(new URL("./term-agent.mjs", import.meta.url));
const STEPS = 4000;
const ROUNDS = 5;
const WARM_UPS = 2;

interface Pace {
  stepsPerSecond: number;
  /** CPU milliseconds of the hub, or of the bare loop, for one step. */
  cpuMs: number;
}

interface TermHub {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export async function bench(): Promise<Result[]> {
  const hub = await startHub();
  try {
    const bare: Pace[] = [];
    const bash: Pace[] = [];
    const ours: Pace[] = [];
    for (let round = 0; round < ROUNDS + WARM_UPS; round++) {
      const paces = {
        bash: await bareLoop(openBash()),
        bare: await bareLoop(await openSame()),
        ours: await trial(hub),
      };
      if (round < WARM_UPS) continue;
      bash.push(paces.bash);
      bare.push(paces.bare);
      ours.push(paces.ours);
    }
    const rate = (paces: Pace[]): number => median(paces.map((pace) => pace.stepsPerSecond));
    const cpuMs = median(ours.map((pace) => pace.cpuMs));
    return [
      {
        name: "term-steps",
        what: "steps per second of a terminal run / the same agent and shell without a harness",
        value: rate(ours) / rate(bare),
        bound: { atLeast: 0.5 },
        unit: "ratio",
        details: { "bare/s": rate(bare), "ours/s": rate(ours), "bare bash/s": rate(bash) },
      },
      {
        name: "term-steps-bash",
        what: "the same / the same agent and a plain bash without framing, limits or a log",
        value: rate(ours) / rate(bash),
        bound: { atLeast: 0.5 },
        unit: "ratio",
        details: { "steps/s": rate(ours) },
      },
      {
        name: "term-steps-cpu",
        what: "CPU of the hub for one step",
        value: cpuMs,
        bound: { atMost: 0.6 },
        unit: "ms",
        details: { "bare ms": median(bare.map((pace) => pace.cpuMs)) },
      },
    ];
  } finally {
    await hub.stop();
  }
}

async function startHub(): Promise<TermHub> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-term-"));
  const child = spawn(process.execPath, [PROGRAM, "up", "--port", "0", "--unsafe-local"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const port = await firstPort(child);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function firstPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const found = /127\.0\.0\.1:(\d+)/.exec(text);
      if (found) resolve(Number(found[1]));
    });
    child.once("exit", () => reject(new Error(`the hub ended before it listened: ${text}`)));
  });
}

/** Measures from the first command to the last, so that the start of programs does not count. */
async function trial({ url, pid }: TermHub): Promise<Pace> {
  const before = cpuSeconds(pid);
  const run = await ask(`${url}/runs`, {
    agent: { protocol: "term", transport: "stdio", command: [process.execPath, AGENT, String(STEPS)] },
    task: { description: "go" },
    options: {
      environment: { kind: "local", network: "host" },
      terminal: { max_steps: STEPS + 10 },
      llm: { enabled: false },
    },
  });
  const id = String(run["id"]);
  for (;;) {
    // The interval is long, because frequent requests would slow down what is measured.
    await delay(250);
    const { status, metrics, failure } = await ask(`${url}/runs/${id}`);
    if (status === "completed" && (metrics as { tool_calls: number }).tool_calls === STEPS) break;
    if (failure !== null || status === "completed")
      throw new Error(`it ended as ${String(status)}: ${JSON.stringify(failure)}`);
  }
  const used = cpuSeconds(pid) - before;
  const [first, last] = [await callAt(url, id, -1, 0), await callAt(url, id, STEPS, -1)];
  return { stepsPerSecond: (STEPS - 1) / ((last - first) / 1000), cpuMs: (used / STEPS) * 1000 };
}

/** Resolves with the time at which the first or the last step after a place in the log was recorded, in milliseconds. */
async function callAt(url: string, id: string, after: number, index: 0 | -1): Promise<number> {
  const page = await ask(`${url}/runs/${id}/events?after=${after}&limit=100`);
  // The hub's API contract guarantees the shape of the log.
  const items = page["items"] as { type: string; timestamp: string }[];
  const call = items.filter(({ type }) => type === "tool_call").at(index);
  if (call === undefined) throw new Error("there is no such step in the log");
  return Date.parse(call.timestamp);
}

async function ask(url: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, body ? { method: "POST", headers, body: JSON.stringify(body) } : {});
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${url}: ${JSON.stringify(answer)}`);
  return answer;
}

interface BareShell {
  run(command: string): Promise<{ output: string; code: number; cwd: string }>;
  close(): void;
}

async function bareLoop(shell: BareShell): Promise<Pace> {
  const agent = spawn(process.execPath, [AGENT, String(STEPS)], { env: baseEnvironment() });
  const answer = splitter(agent, "\n");
  const request = (step: number, output: string, code: number, cwd: string): string =>
    `${JSON.stringify({ instruction: "go", step, last_command: "true", output, exit_code: code, cwd })}\n`;
  let startedAt = 0;
  let before = process.cpuUsage();
  agent.stdin.write(request(1, "", 0, "/"));
  for (let step = 1; ; step++) {
    const { command } = JSON.parse(await answer()) as { command: string | null };
    if (command === null) break;
    if (step === 1) {
      startedAt = performance.now();
      before = process.cpuUsage();
    }
    const { output, code, cwd } = await shell.run(command);
    agent.stdin.write(request(step + 1, output, code, cwd));
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const used = process.cpuUsage(before);
  shell.close();
  agent.stdin.end();
  await new Promise((resolve) => agent.once("close", resolve));
  return { stepsPerSecond: STEPS / seconds, cpuMs: (used.user + used.system) / 1000 / STEPS };
}

function openBash(): BareShell {
  const bash = spawn("bash", ["--noprofile", "--norc"], { env: baseEnvironment() });
  const next = splitter(bash, "\0");
  return {
    async run(command) {
      bash.stdin.write(`eval '${command}' </dev/null 2>&1\nprintf '\\036%s %s\\0' "$?" "$PWD"\n`);
      const [output = "", end = ""] = (await next()).split("\u001e");
      const [code, cwd = ""] = end.split(" ");
      return { output, code: Number(code), cwd };
    },
    close: () => void bash.stdin.end(),
  };
}

/** Opens the shell that the hub uses, without the hub. */
async function openSame(): Promise<BareShell> {
  const env = baseEnvironment();
  const shell: Shell = await openShell((program) => startHere({ ...program, env }), { workdir: tmpdir() });
  return {
    async run(command) {
      const { output, exitCode, cwd } = await shell.run(command, { timeoutMs: 120_000 });
      return { output: output.text, code: exitCode, cwd };
    },
    close: () => void shell.close(),
  };
}

function splitter(child: ChildProcessWithoutNullStreams, end: string): () => Promise<string> {
  let rest = "";
  let answer: ((text: string) => void) | undefined;
  const ready: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    rest += chunk;
    for (let at = rest.indexOf(end); at !== -1; at = rest.indexOf(end)) {
      ready.push(rest.slice(0, at));
      rest = rest.slice(at + 1);
    }
    if (answer && ready.length > 0) {
      const go = answer;
      answer = undefined;
      go(ready.shift() ?? "");
    }
  });
  return () => {
    const next = ready.shift();
    return next === undefined ? new Promise((resolve) => (answer = resolve)) : Promise.resolve(next);
  };
}
