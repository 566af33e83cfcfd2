// The Agent Protocol's own client (agent-protocol-client on PyPI; on npm there is only its server) drives an agent that asks in between.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { HANG_MS } from "../support/eventually.ts";
import { openStage } from "../support/agent-protocol/surfaces-server.ts";
import { pythonPackage } from "../support/python-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CLIENT = "agent-protocol-client==1.1.0";
const run = promisify(execFile);
const folder = temporaryFolder("agent-protocol-client");

const installed = pythonPackage(CLIENT);
const { venv } = installed;

/** Creates a task and asks for steps until the last; a step that is `created` is a question, and gets the answer. */
const LOOP = `
import asyncio, json, sys
from agent_protocol_client import AgentApi, ApiClient, Configuration, StepRequestBody, TaskRequestBody

async def main(host):
    async with ApiClient(Configuration(host=host)) as client:
        api = AgentApi(client)
        task = await api.create_agent_task(task_request_body=TaskRequestBody(input="plan a trip", additional_input={"days": 3}))
        said, answer = [], None
        for _ in range(20):
            step = await api.execute_agent_task_step(task.task_id, step_request_body=StepRequestBody(input=answer))
            answer = "Rome" if step.status == "created" else None
            said.append([step.name, step.status, step.output, step.is_last])
            if step.is_last:
                break
        listed = await api.list_agent_task_steps(task.task_id)
        print(json.dumps({"task": task.task_id, "said": said, "listed": [step.name for step in listed.steps]}))

asyncio.run(main(sys.argv[1]))
`;

describe("the Agent Protocol's own Python client", { timeout: HANG_MS }, () => {
  let missing: string | undefined;
  beforeAll(async () => {
    missing = await installed.install();
  }, HANG_MS * 2);

  it("loops over steps until the last, and answers the question in between", async ({ skip }) => {
    if (missing !== undefined) skip(missing);
    const program = join(folder, "loop.py");
    await writeFile(program, LOOP);
    const stage = await openStage({ withAgent: true, talks: { says: true, asks: ["input"] } });
    try {
      const finished = run(join(venv, "bin/python"), [program, stage.url], { timeout: HANG_MS });
      const session = await stage.driver.session(0);
      expect(session.job.task).toMatchObject({ description: "plan a trip", input_data: { days: 3 } });
      session.event("tool_call", { tool: "search", output: "many cities", status: "success" });
      session.ask({ id: "where", parts: [{ kind: "text", text: "Which city?" }] });
      await stage.until(session.job.runId, ({ type }) => type === "question.delivered");
      expect(session.heard).toMatchObject([{ questionId: "where", answer: { parts: [{ text: "Rome" }] } }]);
      session.event("progress", { message: "booked" });
      session.end();
      const { said, listed } = JSON.parse((await finished).stdout) as { said: unknown; listed: unknown };
      expect(said).toEqual([
        ["search", "completed", "many cities", false],
        ["Question: Which city?", "created", "Which city?", false],
        ["booked", "completed", "booked", false],
        ["Result", "completed", null, true],
      ]);
      expect(listed).toEqual(["search", "booked", "Result"]);
    } finally {
      await stage.close();
    }
  });
});
