// A number that a double does not hold is refused at every door for JSON, and recorded where an agent sent it.
import { describe, expect, it } from "vitest";
import { readCall } from "../src/doubles/tools/read-call.ts";
import { readFields } from "../src/protocols/agent-protocol/surfaces/shared/read-fields.ts";
import { Reason } from "../src/protocols/agent-protocol/surfaces/shared/schemas.ts";
import { readClientFrame as readTaskFrame } from "../src/protocols/agent-protocol/surfaces/ws/client-frame.ts";
import { createAtpReader } from "../src/protocols/atp/reader.ts";
import { readClientFrame } from "../src/protocols/atp/websocket/client-frame.ts";
import { decodeAnswer } from "../src/protocols/term/codec.ts";
import { readObject } from "../src/runtime/openai/read-object.ts";
import { readJson } from "../src/runtime/http/read-json.ts";

const TASK = "550e8400-e29b-41d4-a716-446655440000";
const BODY = `{"task_id": "${TASK}", "task": {"input_data": {"id": 12345678901234567890}}}`;
const SAID = "task.input_data.id is 12345678901234567890, which cannot be kept exactly; send it as a string";
const { signal } = new AbortController();

const post = (): Request =>
  new Request("http://h/", { method: "POST", headers: { "content-type": "application/json" }, body: BODY });

const DOORS: Record<string, () => Promise<unknown>> = {
  "the neutral API": () => readJson(post(), { limitBytes: 10_000 }),
  "the Agent Protocol": () => readFields(post(), Reason),
  "the tool endpoint": () => readCall(post(), signal, () => {}),
  "the model endpoints": () => readObject(post(), { limitBytes: 10_000, signal }),
};

describe("a number that a double does not hold", () => {
  it.each(Object.keys(DOORS))("is refused by %s, with its path and what to do", async (name) => {
    await expect(DOORS[name]?.()).rejects.toThrow(SAID);
    await expect(DOORS[name]?.()).rejects.toMatchObject({ status: 400 });
  });

  it("is refused in a frame of a WebSocket", () => {
    expect(readClientFrame(BODY)).toMatchObject({
      kind: "malformed",
      taskId: TASK,
      error: { message: SAID },
    });
    expect(readTaskFrame(BODY)).toEqual({ kind: "malformed", message: SAID });
  });

  it("is recorded where an agent sent it, whichever message it is in", () => {
    const violation = { rule: "json.number", where: "payload.id" };
    const event = `{"version":"1.0","task_id":"${TASK}","timestamp":"2025-01-21T10:30:45Z","sequence":0,"event_type":"progress","payload":{"id":1234567890123456789}}`;
    const { violations } = createAtpReader(TASK).read(event);
    expect(violations).toMatchObject([violation]);
    expect(violations[0]?.message).toContain("1234567890123456789");
    expect(createAtpReader(TASK).read('{"level":"info","ns":1700000000000000000}').violations).toEqual([]);
    expect(decodeAnswer('{"command":"ls","id":1e400}')).toMatchObject({
      ok: true,
      violations: [{ rule: "json.number", where: "id" }],
    });
  });
});
