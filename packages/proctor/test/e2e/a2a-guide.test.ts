// The guide "Drive and serve A2A" through the built program: its agent, run, answered, gone on with, and in its suite; and a hub that
// serves it and another to the guide's client.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { blocks } from "../support/markdown.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const guide = readFileSync(fileURLToPath(new URL("../../../../docs/guides/a2a.md", import.meta.url)), "utf8");
const folder = temporaryFolder("a2a-guide");
let program: ChildProcess;
let port = "";

beforeAll(async () => {
  for (const source of blocks(guide, "js")) {
    const [, name = ""] = /^\/\/ (\S+\.mjs)\n/.exec(source) ?? [];
    writeFileSync(join(folder, name), source);
  }
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
    const ran = await runCommand(args, { folder });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/question +Which city\?[^]*answer +Oslo[^]*plan\.md\n +# A day in Oslo/);
    expect(ran.stdout.match(/# A day in Oslo/g)).toHaveLength(1);
    const next = ["run", "--continue", "last", "--answer", "Bergen", "--task", "And tomorrow?"];
    const more = await runCommand(next, { folder });
    expect(more).toMatchObject({ code: 0 });
    expect(more.stdout).toContain("# A day in Bergen");
  });

  it("passes the guide's suite", async () => {
    const suite = blocks(guide, "yaml").find((block) => block.startsWith("# suite: planner")) ?? "";
    writeFileSync(join(folder, "planner.yaml"), suite);
    const tested = await runCommand(["test", "planner.yaml"], { folder, env: { PLANNER_PORT: port } });
    expect(tested).toMatchObject({ code: 0 });
  });

  it("refuses options that it does not have before anything is sent", async () => {
    const add = ["agents", "add", "x", `a2a+http://127.0.0.1:${port}`, "--option", "verison=0.3"];
    const refused = await runCommand(add, { folder });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/unknown key "verison"[^]*did you mean "version"/);
  });
});

describe("a hub that serves its agents over A2A, as the guide shows it", { timeout: HANG_MS }, () => {
  it("answers the guide's client for a program and for an agent that asks", async () => {
    const hub = await startHubProcess({ folder });
    try {
      for (const [name, address] of [
        ["greeter", "atp+stdio:node greeter.mjs"],
        ["planner", `a2a+http://127.0.0.1:${port}`],
      ] as const) {
        expect(await runCommand(["agents", "add", name, address], { folder })).toMatchObject({ code: 0 });
      }
      const card = await fetch(`${hub.url}/a2a/greeter/.well-known/agent-card.json`);
      expect(await card.json()).toMatchObject({ name: "greeter", url: `${hub.url}/a2a/greeter` });
      const env = { ...process.env, HUB: hub.url };
      const client = join(folder, "client.mjs");
      const { stdout } = await promisify(execFile)(process.execPath, [client], { env, timeout: HANG_MS });
      expect(stdout).toMatch(
        /greeting\.md # Hello, Ada![^]*STATE_COMPLETED[^]*STATE_INPUT_REQUIRED Which city\?[^]*plan\.md # A day in Oslo[^]*STATE_COMPLETED/,
      );
      const { items } = await hub.get<{ items: unknown[] }>("/runs?agent=planner");
      expect(items).toHaveLength(1);
    } finally {
      await hub.stop();
    }
  });
});
