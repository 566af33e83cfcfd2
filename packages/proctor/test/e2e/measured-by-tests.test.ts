// Tests of a registered agent measure it, with a hub and without.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RegisteredAgent } from "../../src/core/registration.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { shellFixture } from "../support/test-hub.ts";

const SUITE = `test_suite: two
tests:
  - id: right
    name: Ends well
    task: { description: Say hello }
    assertions:
      - type: status
        config: { is: completed }
  - id: wrong
    name: Says what nobody says
    task: { description: Say hello }
    assertions:
      - type: contains
        config: { pattern: nobody says this }
`;

function folderWith(name: string): string {
  const folder = join(temporaryFolder("measured"), name);
  mkdirSync(folder);
  writeFileSync(join(folder, "suite.yaml"), SUITE);
  writeFileSync(
    join(folder, "proctor.yaml"),
    `agents:\n  - name: ok\n    command: ${JSON.stringify(shellFixture("ok").command)}\n`,
  );
  return folder;
}

async function testAndShow(folder: string): Promise<RegisteredAgent> {
  const tested = await runCommand(["test", "suite.yaml", "--agent", "ok", "--concurrency", "1"], {
    folder,
  });
  expect(tested.code, tested.stderr + tested.stdout).toBe(1);
  const shown = await runCommand(["agents", "show", "ok", "--json"], { folder });
  return (JSON.parse(shown.stdout) as { agent: RegisteredAgent }).agent;
}

describe("a registered agent that `proctor test` tries", () => {
  const measured = { runs: 2, completed: 2, success_rate: 1, judged: 2, quality: 0.8 };

  it("is measured by its runs and by what their checks found", async () => {
    const folder = folderWith("alone");
    const added = await runCommand(
      ["agents", "add", "ok", `atp+stdio:${shellFixture("ok").command.join(" ")}`],
      {
        folder,
      },
    );
    expect(added.code, added.stderr).toBe(0);
    expect((await testAndShow(folder)).health.measured).toMatchObject(measured);
  });

  it("is measured the same where a hub runs", async () => {
    const folder = folderWith("hub");
    const hub = await startHubProcess({ folder });
    expect((await testAndShow(folder)).health.measured).toMatchObject(measured);
    expect(await hub.stop()).toBe(0);
  });
});
