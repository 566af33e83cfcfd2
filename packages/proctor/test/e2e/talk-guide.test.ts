// The guide "Talk to a run" through the built program: a model that asks, answered by a command, over HTTP, and after kill -9 of the hub.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/core/run.ts";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { blocks } from "../support/markdown.ts";
import { startProgram, type StartedProgram } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const guide = readFileSync(
  fileURLToPath(new URL("../../../../docs/guides/talk-to-a-run.md", import.meta.url)),
  "utf8",
);
const folder = temporaryFolder("talk-guide");
let model: StartedProgram;
let agent = "";

beforeAll(async () => {
  const script = blocks(guide, "yaml").find((block) => block.startsWith("# ask.yaml")) ?? "";
  writeFileSync(join(folder, "ask.yaml"), script);
  model = startProgram(["mock", "llm", "ask.yaml", "--port", "0"], { folder });
  const [, port = ""] = await model.printed(/127\.0\.0\.1:(\d+)/);
  agent = `openai+http://127.0.0.1:${port}/v1#demo`;
}, HANG_MS);
afterAll(async () => {
  model.child.kill("SIGTERM");
  await model.ended;
});

describe("a model that asks, as the guide shows it", { timeout: HANG_MS }, () => {
  it("is answered by the command that was told what to answer, and goes on in a run that follows", async () => {
    const ran = await runCommand(["run", "--agent", agent, "--answer", "Oslo", "--task", "Book a flight"], {
      folder,
    });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/question +Which city\?[^]*answer +Oslo[^]*Oslo is booked\./);
    const more = await runCommand(["run", "--continue", "last", "--task", "And a hotel?"], { folder });
    expect(more).toMatchObject({ code: 0 });
    const said = await runCommand(["runs", "messages", "last", "--all"], { folder });
    expect(said.stdout).toMatch(/Book a flight[^]*Oslo is booked\.[^]*And a hotel\?[^]*I know only Oslo\./);
  });

  it("waits in a hub until somebody answers over HTTP, and is interrupted honestly when the hub is killed", async () => {
    const hub = await startHubProcess({ folder });
    const asked = { agent, task: { description: "Book a flight" } };
    const run = await hub.post<Run>("/runs", asked);
    await hub.until(run.id, ({ type }) => type === "question.asked");
    const { items } = await hub.get<{ items: { run_id: string; question: { id: string } }[] }>("/questions");
    expect(items).toMatchObject([
      { run_id: run.id, question: { kind: "input", parts: [{ text: "Which city?" }] } },
    ]);
    const questionId = items[0]?.question.id ?? "";
    const answered = await hub.post<Run>(`/runs/${run.id}/answers`, {
      question_id: questionId,
      text: "Oslo",
    });
    expect(answered.questions).toEqual([]);
    expect((await hub.ended(run.id)).status).toBe("completed");
    const again = await hub.send("POST", `/runs/${run.id}/answers`, {
      json: { question_id: questionId, text: "Bergen" },
    });
    expect(again.status).toBe(409);

    const lost = await hub.post<Run>("/runs", asked);
    await hub.until(lost.id, ({ type }) => type === "question.asked");
    await hub.stop("SIGKILL");
    const after = await startHubProcess({ folder });
    expect(await after.get<Run>(`/runs/${lost.id}`)).toMatchObject({
      status: "failed",
      failure: { code: "INTERRUPTED" },
      questions: [],
    });
    const follow = { ...asked, follows: run.id, task: { description: "And a hotel?" } };
    const next = await after.post<Run>("/runs", follow);
    expect((await after.ended(next.id)).conversation_id).toBe(run.id);
    expect((await after.get<{ runs: Run[] }>(`/conversations/${run.id}`)).runs).toHaveLength(2);
    await after.stop();
  });
});
