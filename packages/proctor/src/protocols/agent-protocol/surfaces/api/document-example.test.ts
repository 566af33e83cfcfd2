// Document 003, "使用示例": its JavaScript runs as it stands, with the address of this server in place of the document's.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openApiServer, type ApiServer } from "../../../../../test/support/agent-protocol/api-server.ts";

let api: ApiServer;
beforeAll(async () => {
  api = await openApiServer();
});
afterAll(() => api.close());

it("document 003's example runs verbatim against /api", async () => {
  const example = await readFile(new URL("../../corpus/document-example.mjs", import.meta.url), "utf8");
  const program = `
    const reportFile = new File(["%PDF sales"], "sales_report.pdf", { type: "application/pdf" });
    ${example.replaceAll("http://localhost:3001", api.url)}
    console.log(JSON.stringify({ agent, step }));`;
  const run = promisify(execFile);
  const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  expect(stderr).toBe("");
  const { agent, step } = JSON.parse(stdout) as {
    agent: Record<string, string>;
    step: Record<string, unknown>;
  };
  expect(agent).toEqual({
    id: expect.any(String),
    name: "Task: Create a report about sales data",
    status: "ACTIVE",
    task: "Create a report about sales data",
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  });
  expect(step).toMatchObject({ name: "Analyze sales data", status: "created", output: null, is_last: false });

  const { body: task } = await api.send("GET", `/api/tasks/${agent["id"]}`);
  const { body } = await api.send("GET", `/api/tasks/${agent["id"]}/steps/${String(step["step_id"])}`);
  expect(task).toMatchObject({ status: "completed", artifacts: [{ file_name: "sales_report.pdf" }] });
  expect(task.task.workspaces).toMatchObject([{ name: "workspace" }]);
  expect(body).toMatchObject({
    status: "completed",
    output: { summary: "Sales increased by 15%" },
    is_last: true,
    started_at: expect.any(String),
    completed_at: expect.any(String),
    artifacts: [{ file_name: "sales_report.pdf", relative_path: "reports/sales_report.pdf" }],
  });
  const types = (await api.events(String(agent["id"]))).map(({ type }) => type);
  expect(types).toEqual([
    "task.created",
    "task.started",
    "step.created",
    "step.started",
    "step.completed",
    "task.completed",
    "artifact.created",
  ]);
});
