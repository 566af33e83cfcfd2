// Each of these runs in a program of its own, which has to end by itself: an open handle would keep it alive.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { moduleLiteral, scriptArgs } from "../../../test/support/source-script.ts";

const source = (path: string): string => moduleLiteral(path, import.meta.url);
const agents = fileURLToPath(new URL("../../../test/fixtures/agents/", import.meta.url));

const PRELUDE = `
  const { openProcess } = await import(${source("./open-process.ts")});
  const { baseEnvironment } = await import(${source("./base-environment.ts")});
  const open = (...command) =>
    openProcess({ command, env: { ...baseEnvironment(), PROCTOR_RUN_ID: crypto.randomUUID() } });
  const agent = (name, ...args) => {
    const channel = open(process.execPath, ${JSON.stringify(agents)} + name, ...args);
    channel.write(JSON.stringify({ task_id: "1", task: { description: "x" } }) + "\\n");
    return channel;
  };
`;

async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, scriptArgs(PRELUDE + script), {
    timeout: HANG_MS,
    encoding: "utf8",
  });
  return stdout.trim();
}

describe.concurrent("a program that used process channels ends by itself", () => {
  test("after complete runs, broken starts, early leaves and kills", async () => {
    const output = await run(`
      for await (const batch of open("echo", "hello"));
      for await (const batch of open("no-such-program"));
      for await (const batch of agent("forks-daemon.mjs"));
      for await (const batch of agent("ignores-sigterm.mjs")) break;
      const unread = open("yes");
      await unread.kill();
      const stuck = agent("never-reads-stdin.mjs");
      stuck.write(Buffer.alloc(4_000_000));
      await stuck.kill();
      open("true");
      console.log("done");
    `);
    expect(output).toBe("done");
  });

  test("after a flood of 300 MB, read with flat memory while the other pipe is served", async () => {
    const output = await run(`
      let lines = 0, batches = 0, peak = 0, answer = "";
      for await (const batch of agent("stderr-flood.mjs", "300")) {
        for (const item of batch) {
          if (item.stream === "stderr" && item.kind === "line") lines++;
          else if (item.kind === "line") answer += item.text;
        }
        if (batches++ % 100 === 0) peak = Math.max(peak, process.memoryUsage().rss);
      }
      console.log(JSON.stringify({ lines, peak, answered: answer.includes("after the flood") }));
    `);
    const { lines, peak, answered } = JSON.parse(output) as {
      lines: number;
      peak: number;
      answered: boolean;
    };
    expect(lines).toBe(3_000_000);
    expect(answered).toBe(true);
    expect(peak).toBeLessThan(250 * 1024 * 1024);
  });
});
