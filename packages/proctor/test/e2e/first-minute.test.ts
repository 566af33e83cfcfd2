// What somebody sees in the first minute: the answer of an agent, or why there is none.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { texts } from "../../../dashboard/src/texts.ts";
import { startHubProcess } from "../support/hub-process.ts";
import type { Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("first-minute");
const SECRET = "s3cret-value-of-mine";

const AGENT = `
import { readFileSync } from "node:fs";
const { task_id, task } = JSON.parse(readFileSync(0, "utf8"));
if (task.description === "Crash") {
  console.error("Traceback:\\n  File agent.mjs\\nKeyError: 'OPENAI_API_KEY' " + process.env.TOKEN + " \\u001b[2J");
  process.exit(1);
}
if (task.description === "Babble") {
  console.log("hello world");
  process.exit(0);
}
const artifacts = [{ type: "structured", name: "result", data: { output: "You said: " + task.description } }];
console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: {} }));
`;

beforeAll(() => writeFileSync(join(folder, "agent.mjs"), AGENT));

const proctor = (...args: string[]): Promise<Ended> => runCommand(args, { folder, env: { TOKEN: SECRET } });
const run = (task: string, ...flags: string[]): Promise<Ended> =>
  proctor("run", "--agent", "atp+stdio:node agent.mjs", "--task", task, ...flags);

describe("the first proctor run", () => {
  it("ends with the answer, which runs show and runs artifact print again", async () => {
    const { stdout } = await run("Hello");
    const id = /^run (\S+)/.exec(stdout)?.[1] ?? "";

    expect(stdout).toMatch(/\n\nresult\n {2}You said: Hello\n$/);
    expect((await proctor("runs", "show", id.slice(0, 20))).stdout).toMatch(
      /\nresult\n {2}You said: Hello\n$/,
    );
    expect(JSON.parse((await proctor("runs", "artifact", "last")).stdout)).toEqual({
      output: "You said: Hello",
    });
  });

  it("says why an agent crashed: its last lines, without secrets and control characters, and a hint", async () => {
    const { code, stdout } = await run("Crash", "--env", "TOKEN");

    expect(code).toBe(1);
    expect(stdout).toContain(
      "  failure     AGENT_CRASHED  the agent exited with code 1 without a response\n              stderr:\n                Traceback:\n                  File agent.mjs\n",
    );
    expect(stdout).toContain(
      "agents do not inherit your shell's environment: pass the variable on with --env OPENAI_API_KEY",
    );
    expect(stdout).not.toContain(SECRET);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).not.toContain("⏎");
  });

  it("says what an agent printed instead of an answer", async () => {
    const { stdout } = await run("Babble");

    expect(stdout).toContain(
      "the agent exited without a response\n              it printed:\n                hello world\n",
    );
  });
});

it("a run on a hub is named by the beginning of its id or by last", async () => {
  const hub = await startHubProcess({ folder });
  try {
    const { stdout } = await run("Hub");
    const id = /^run (\S+)/.exec(stdout)?.[1] ?? "";

    expect((await proctor("runs", "show", "last")).stdout).toContain(id);
    expect((await proctor("runs", "show", id.slice(0, 30))).stdout).toContain("You said: Hub");
    expect((await proctor("runs", "artifact", id.slice(0, 30), "result")).stdout).toContain("You said: Hub");
    expect((await proctor("runs", "show", id.slice(0, 1))).stderr).toContain("several runs: give more of it");
  } finally {
    await hub.stop();
  }
});

it("The commands that an empty dashboard teaches work as they stand there", async () => {
  const place = temporaryFolder("taught");
  const lines = texts.first.steps.flatMap(({ command }) => command.split(" && "));
  for (const line of lines) {
    const [name, ...args] = Array.from(
      line.matchAll(/"([^"]*)"|(\S+)/g),
      ([, quoted, plain]) => quoted ?? plain ?? "",
    );
    expect(name).toBe("proctor");
    expect({ line, ...(await runCommand(args, { folder: place })) }).toMatchObject({ line, code: 0 });
  }
  expect(lines.length).toBeGreaterThanOrEqual(3);
});
