// The guide "Drive A2A agents" through the built program: its agent, run, answered, gone on with, and in its suite.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HANG_MS } from "../support/eventually.ts";
import { blocks } from "../support/markdown.ts";
import { runProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const guide = readFileSync(fileURLToPath(new URL("../../../../docs/guides/a2a.md", import.meta.url)), "utf8");
const folder = temporaryFolder("a2a-guide");
let program: ChildProcess;
let port = "";

beforeAll(async () => {
  const [source = ""] = blocks(guide, "js");
  writeFileSync(join(folder, "agent.mjs"), source);
  const started = spawn(process.execPath, [join(folder, "agent.mjs"), "0"]);
  program = started;
  const [text] = (await once(started.stdout.setEncoding("utf8"), "data")) as [string];
  port = text.trim();
}, HANG_MS);
afterAll(async () => {
  const ended = once(program, "close");
  program.kill();
  await ended;
});

describe("an A2A agent, as the guide shows it", { timeout: HANG_MS }, () => {
  it("is run, answered by the command, shown once, and gone on with", async () => {
    const agent = `a2a+http://127.0.0.1:${port}`;
    const args = ["run", "--agent", agent, "--answer", "Oslo", "--task", "Plan my day"];
    const ran = await runProgram(args, { folder });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/question +Which city\?[^]*answer +Oslo[^]*plan\.md\n +# A day in Oslo/);
    expect(ran.stdout.match(/# A day in Oslo/g)).toHaveLength(1);
    const next = ["run", "--continue", "last", "--answer", "Bergen", "--task", "And tomorrow?"];
    const more = await runProgram(next, { folder });
    expect(more).toMatchObject({ code: 0 });
    expect(more.stdout).toContain("# A day in Bergen");
  });

  it("passes the guide's suite", async () => {
    const suite = blocks(guide, "yaml").find((block) => block.startsWith("# suite: planner")) ?? "";
    writeFileSync(join(folder, "planner.yaml"), suite);
    const tested = await runProgram(["test", "planner.yaml"], { folder, env: { PLANNER_PORT: port } });
    expect(tested).toMatchObject({ code: 0 });
  });

  it("refuses options that it does not have before anything is sent", async () => {
    const add = ["agents", "add", "x", `a2a+http://127.0.0.1:${port}`, "--option", "verison=0.3"];
    const refused = await runProgram(add, { folder });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/unknown key "verison"[^]*did you mean "version"/);
  });
});
