// Where the program of an agent is started: in the directory it was given, or else in the workspace of its run.
import { realpathSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import { answerOf } from "../core/answer.ts";

/** Answers with the directory it runs in. */
const PROGRAM = `
const answer = { version: "1.0", task_id: "x", status: "completed", artifacts: [{ type: "structured", name: "result", data: { output: process.cwd() } }] };
process.stdin.on("data", (line) => {
  answer.task_id = JSON.parse(line).task_id;
  process.stdout.write(JSON.stringify(answer) + "\\n", () => process.exit());
});
`;
const spec = { protocol: "atp", transport: "stdio", command: [process.execPath, "-e", PROGRAM] };
const folder = realpathSync(temporaryFolder("program-folder"));
let test: TestHub;

beforeEach(async () => {
  test = await openTestHub();
});
afterEach(() => test.close());

async function whereRuns(cwd: { cwd?: string }, context: { workspace_path?: string } = {}): Promise<unknown> {
  const { run } = await test.hub.submit({
    agent: { ...spec, ...cwd },
    task: { description: "where" },
    context,
  });
  const answer = answerOf(await test.ended(run.id));
  return typeof answer === "string" ? answer.replace(run.id, "{run}") : answer;
}

it("a program without a directory runs in the workspace of its run", async () => {
  expect(await whereRuns({})).toBe(`${realpathSync(test.folder)}/workspaces/{run}`);
});

it("a program with a directory runs in it", async () => {
  expect(await whereRuns({ cwd: folder })).toBe(folder);
});

it("a program whose client names a workspace that is not on this machine starts all the same", async () => {
  expect(await whereRuns({}, { workspace_path: "/nowhere/at/all" })).toBe(process.cwd());
});
