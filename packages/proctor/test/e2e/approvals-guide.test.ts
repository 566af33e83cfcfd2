// The guide "Approve from anywhere", followed from an empty folder with what was built: its commands as they stand there, in one shell.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Run } from "../../src/core/run.ts";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { block, blocks } from "../support/markdown.ts";
import { startProgram } from "../support/program.ts";
import { openShellCommands } from "../support/shell-commands.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const GUIDE = readFileSync(
  fileURLToPath(new URL("../../../../docs/guides/approve-from-anywhere.md", import.meta.url)),
  "utf8",
);

it("the guide to approvals does what it says", { timeout: HANG_MS }, async () => {
  const folder = temporaryFolder("approvals-guide");
  writeFileSync(join(folder, "ask.yaml"), block(GUIDE, "yaml", "# ask.yaml"));
  const model = startProgram(["mock", "llm", "ask.yaml", "--port", "0"], { folder });
  const [, port = ""] = await model.printed(/127\.0\.0\.1:(\d+)/);
  const hub = await startHubProcess({ folder });
  const env = { PATH: process.env["PATH"], HOME: folder, USER: "ada", NO_COLOR: "1" };
  const commands = await openShellCommands({ folder, env: { USER: "ada" } });
  try {
    const steps = blocks(GUIDE, "sh").map((text, index) => `printf "\\n== ${index}\\n"\n${text}`);
    const script = ["set -eu", commands.definition, ...steps].join("\n");
    const { stdout } = await promisify(execFile)(
      "bash",
      ["-c", script.replaceAll("http://127.0.0.1:3001", hub.url).replaceAll(":8080/", `:${port}/`)],
      { cwd: folder, env },
    );
    const [, added, inbox, answered, http, envelope, a2a] = stdout.split(/\n== \d+\n/);
    expect(added).toContain("added booker");
    expect(inbox).toMatch(/RUN +ID +GOAL +AGENT +QUESTION +EXPIRES[^]*Which city\?[^]*told +user:ada/);
    expect(answered).toMatch(/^» answered .* which is running/);
    expect(http).toMatch(/"audience":"human"[^]*"status":"running"/);
    expect(envelope).toMatch(/approve[^]*"?status"?:? ?"?running/);
    expect(a2a).toMatch(/"task":/);

    const { items } = await hub.get<{ items: Run[] }>("/runs?limit=10");
    for (const { id } of items) expect((await hub.ended(id)).status).toBe("completed");
    expect(items).toHaveLength(4);
    expect((await hub.get<{ items: unknown[] }>("/questions")).items).toEqual([]);
    for (const { id } of items) {
      const { items: events } = await hub.get<{ items: { type: string; payload: object }[] }>(
        `/runs/${id}/events?limit=1000`,
      );
      const answers = events.filter(({ type }) => type === "question.answered");
      expect(answers).toMatchObject([{ payload: { answer: { by: { kind: "human", name: "ada" } } } }]);
    }
  } finally {
    commands.close();
    await hub.stop();
    model.child.kill("SIGTERM");
    await model.ended;
  }
});
