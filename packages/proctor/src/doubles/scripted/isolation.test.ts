// Tests that run at the same time on one agent, and what is left when one of them is over.
import { describe, expect, it } from "vitest";
import {
  directive,
  rpc,
  send03,
  startAgent,
  stream03,
  message03,
} from "../../../test/support/doubles/scripted.ts";
import type { JsonObject } from "../../core/json.ts";

const says = (text: string): JsonObject => ({
  kind: "task",
  status: { state: "completed", message: { role: "agent", parts: [{ kind: "text", text }] } },
});

describe("a hundred test cases at the same time", () => {
  it("each get their own turns, tasks and captured requests", async () => {
    const { url, agent } = await startAgent();
    await Promise.all(
      Array.from({ length: 100 }, async (_, number) => {
        const id = `case-${number}`;
        const first = await stream03(url, {
          text: directive([[says(`${id} turn 0`)], [says(`${id} turn 1`)]], id),
        });
        const [task] = first as { id: string }[];
        const second = await send03(url, { text: "go on", taskId: task?.id ?? "" });
        expect(JSON.stringify(first)).toContain(`${id} turn 0`);
        expect(JSON.stringify(second)).toContain(`${id} turn 1`);
      }),
    );
    expect(agent.captured.list()).toHaveLength(200);
    for (const number of [0, 42, 99]) {
      const requests = agent.captured.list({ testCaseId: `case-${number}` });
      expect(requests.map(({ operation, turn }) => [operation, turn])).toEqual([
        ["stream", 0],
        ["send", 1],
      ]);
    }
  });
});

describe("one test case among others", () => {
  it("sees neither tasks nor lists of the others where it names itself", async () => {
    const { url } = await startAgent();
    const { result } = await send03(url, { text: directive([[says("mine")]], "mine") });
    const { id } = result as { id: string };
    await send03(url, { text: directive([[says("yours")]], "yours") });
    const asMe = { "x-test-case-id": "mine", "a2a-version": "1.0" };
    const asYou = { "x-test-case-id": "yours", "a2a-version": "1.0" };
    expect(await rpc(url, "GetTask", { id }, asMe)).toMatchObject({ result: { id } });
    expect(await rpc(url, "GetTask", { id }, asYou)).toMatchObject({ error: { code: -32001 } });
    expect(await rpc(url, "CancelTask", { id }, asYou)).toMatchObject({ error: { code: -32001 } });
    expect(await rpc(url, "ListTasks", {}, asMe)).toMatchObject({
      result: { totalSize: 1, tasks: [{ id }] },
    });
  });

  it("is forgotten alone, and its id can be used again for another sequence", async () => {
    const { url, agent } = await startAgent();
    await send03(url, { text: directive([[says("old")]], "a") });
    await send03(url, { text: directive([[says("other")]], "b") });
    agent.clearState("a");
    expect(await send03(url, { text: "[test_case_id=a]" })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('no script for the test case "a"') as string },
    });
    expect(JSON.stringify(await send03(url, { text: "[test_case_id=b]" }))).toContain("other");
    expect(JSON.stringify(await send03(url, { text: directive([[says("new")]], "a") }))).toContain("new");
  });

  it("cannot go on with the task of another", async () => {
    const { url } = await startAgent();
    const { result } = await send03(url, { text: directive([[says("one")], [says("two")]], "a") });
    const { id: taskId } = result as { id: string };
    const message = message03({ text: "[test_case_id=b]", taskId });
    expect(await rpc(url, "message/send", { message })).toMatchObject({
      error: { message: expect.stringContaining("another test case") as string },
    });
  });
});
