// Document 001 as it is written, over real sockets: README.md has its sentences, one by one.
import { describe, expect, it } from "vitest";
import {
  corpus,
  directive,
  message03,
  rpc,
  rpcRequest,
  send03,
  startAgent,
  stream03,
} from "../../../test/support/doubles/scripted.ts";
import type { JsonObject } from "../../core/json.ts";

const RESPONSES = corpus("responses.jsonc");
const idOf = (task: JsonObject | undefined): string => JSON.stringify(task?.["id"]).slice(1, -1);
const CASE = "proxy_artifact_test_001";

describe("the scripted agent of document 001", () => {
  it("streams the events of turn 0 in their order, with the ids of the task, and closes the stream", async () => {
    const { url } = await startAgent();
    const events = await stream03(url, { text: directive(RESPONSES, CASE) });
    expect(events.map(({ kind }) => kind)).toEqual(["status-update", "artifact-update", "task"]);
    const [working, artifact, task] = events;
    expect(working).toMatchObject({
      final: false,
      status: {
        state: "working",
        message: { role: "agent", parts: [{ kind: "text", text: "Starting work..." }] },
      },
    });
    expect(artifact?.["artifact"]).toMatchObject({
      artifactId: "generated-file-1",
      name: "report.csv",
      parts: [
        {
          kind: "file",
          file: {
            name: "report.csv",
            mimeType: "text/csv",
            bytes: "bmFtZSx2YWx1ZQphbHBoYSwxMApiZXRhLDIw",
          },
        },
      ],
    });
    expect(task).toMatchObject({
      status: { state: "completed", message: { parts: [{ text: "Task complete." }] } },
    });
    expect(task?.["id"]).toEqual(expect.any(String));
    expect([working?.["taskId"], artifact?.["taskId"]]).toEqual([task?.["id"], task?.["id"]]);
    expect([working?.["contextId"], artifact?.["contextId"]]).toEqual([
      task?.["contextId"],
      task?.["contextId"],
    ]);
  });

  it("plays turn 1 for a second message to the same task, even after it was completed", async () => {
    const { url } = await startAgent();
    const first = await stream03(url, { text: directive(RESPONSES, CASE) });
    const taskId = idOf(first.at(-1));
    const second = await stream03(url, { text: "And now?", taskId });
    expect(second.map(({ kind }) => kind)).toEqual(["status-update", "task"]);
    expect(second[0]).toMatchObject({
      taskId,
      status: { message: { parts: [{ text: "Processing follow-up." }] } },
    });
    expect(second[1]).toMatchObject({
      id: taskId,
      status: { message: { parts: [{ text: "Follow-up complete." }] } },
    });
  });

  it("says clearly that a script has no more turns", async () => {
    const { url } = await startAgent();
    const [, , task] = await stream03(url, { text: directive(RESPONSES, CASE) });
    const taskId = idOf(task);
    await send03(url, { text: "second", taskId });
    const { error } = await send03(url, { text: "third", taskId });
    expect((error as JsonObject)["message"]).toBe(
      `the script "${CASE}" has 2 turns, and this is message 3 of its task; add a turn, or begin another task`,
    );
  });

  it("answers a plain message with the task and the artifact that the turn left", async () => {
    const { url } = await startAgent();
    const { result } = await send03(url, { text: directive(RESPONSES, CASE) });
    expect(result).toMatchObject({
      kind: "task",
      status: { state: "completed" },
      artifacts: [{ artifactId: "generated-file-1" }],
    });
  });

  it("remembers the sequence of a test case, for messages that bring only its id", async () => {
    const { url } = await startAgent();
    await send03(url, { text: directive(RESPONSES, CASE) });
    const again = await stream03(url, { text: `Once more. [test_case_id=${CASE}]` });
    expect(again.map(({ kind }) => kind)).toEqual(["status-update", "artifact-update", "task"]);
  });

  it("finds directives that YAML has folded, in several parts, between other text", async () => {
    const { url } = await startAgent();
    const base64 = Buffer.from(JSON.stringify(RESPONSES)).toString("base64");
    const folded = base64.replaceAll(/.{76}/g, "$& ");
    const params = {
      message: {
        ...message03({
          text: `This is the user prompt. [test_case_id=${CASE}] [responses_json=${folded.slice(0, 100)}`,
        }),
      },
    };
    (params.message["parts"] as JsonObject[]).push({
      kind: "text",
      text: `${folded.slice(100)}] Thank you.`,
    });
    const { result } = await rpc(url, "message/send", params);
    expect(result).toMatchObject({ status: { state: "completed" } });
  });

  it("captures every request for a look after the test: the bytes of a file among them", async () => {
    const { url, agent } = await startAgent();
    const message = message03({ text: directive(RESPONSES, CASE) });
    (message["parts"] as JsonObject[]).push({
      kind: "file",
      file: { name: "input.txt", mimeType: "text/plain", bytes: Buffer.from("input").toString("base64") },
    });
    await rpcRequest(url, "message/send", { message }, { authorization: "Bearer of news" });
    const [request, ...others] = agent.captured.list();
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      number: 1,
      method: "POST",
      path: "/",
      operation: "send",
      version: "0.3",
      binding: "JSONRPC",
      test_case_id: CASE,
      turn: 0,
      headers: { authorization: "Bearer of news" },
      body: { params: { message: { parts: [{}, { file: { name: "input.txt", bytes: "aW5wdXQ=" } }] } } },
    });
    expect(Date.parse(request?.time ?? "")).not.toBeNaN();
  });

  it("plays the example of section 6, down to the bytes of its artifact", async () => {
    const { url } = await startAgent();
    const events = await stream03(url, {
      text: directive(corpus("example.json"), "a2a_proxy_with_artifacts_001"),
    });
    expect(events.map(({ kind }) => kind)).toEqual(["status-update", "artifact-update", "task"]);
    expect(events[0]).toMatchObject({ status: { message: { parts: [{ text: "Work in progress..." }] } } });
    const artifact = events[1]?.["artifact"] as { parts: { file: { bytes: string } }[] } | undefined;
    expect(Buffer.from(artifact?.parts[0]?.file.bytes ?? "", "base64").toString()).toBe(
      "Proxy test successful!",
    );
    expect(events[2]).toMatchObject({
      status: { state: "completed", message: { parts: [{ text: "Done." }] } },
    });
  });
});
