// Feedback on the attempt before reaches an agent of every protocol, and its task stays word for word what it was.
import { describe, expect, it } from "vitest";
import type { Job } from "../core/ports/driver.ts";
import { encodeTask as encodeA2aTask } from "./a2a/driver/outgoing.ts";
import { encodeTask as encodeAgentProtocolTask } from "./agent-protocol/codec.ts";
import { encodeRequest as encodeAtpRequest } from "./atp/codec.ts";
import { encodeExecute } from "./envelope/codec.ts";
import { encodeMessages } from "./openai/codec.ts";
import { encodeRequest as encodeRestRequest, fillValuesOf } from "./rest/codec.ts";
import { readRestOptions, type RestOptions } from "./rest/options.ts";
import { encodeProgram } from "./text/codec.ts";

const feedback = { round: 1, comments: { issues: ["too long"] } };
const DESCRIPTION = "Write a report";
const AS_TEXT =
  /^Write a report\n\n\{\n {2}"topic": "cats"\n\}\n\nFeedback on the previous attempt \(round 1\):\n[^]*too long/;

function jobWith(metadata: Job["metadata"], command: string[] = ["agent"]): Job {
  return {
    runId: "run-1",
    spec: { protocol: "text", transport: "stdio", command },
    task: { description: DESCRIPTION, input_data: { topic: "cats" } },
    constraints: {},
    context: {},
    metadata,
    traceId: "0".repeat(32),
  };
}

const job = jobWith({ feedback });

function restOptions(options: object): RestOptions {
  const read = readRestOptions(options as never);
  if (!read.ok) throw new Error("these are no options");
  return read.value;
}

function bodyOf(options: RestOptions, asked: Job): unknown {
  const values = fillValuesOf(asked, options, []);
  return JSON.parse(encodeRestRequest(new URL("http://agent"), asked, options, values).content ?? "");
}

describe("Feedback on the attempt before", () => {
  it("is a field of the metadata of ATP, the Agent Protocol and envelopes", () => {
    const envelope = encodeExecute(job, { id: "e", to: "a", spanId: "0", nowMs: 0, withSecrets: false });
    for (const [sent, description] of [
      [encodeAtpRequest(job), { task: { description: DESCRIPTION } }],
      [encodeAgentProtocolTask(job)["additional_input"], {}],
      [envelope.payload, { task: { description: DESCRIPTION } }],
    ])
      expect(sent).toMatchObject({ metadata: { feedback }, ...(description as object) });
    expect(encodeAgentProtocolTask(job)["input"]).toBe(DESCRIPTION);
  });

  it("is a data part after the task for an A2A agent", async () => {
    const encoded = await encodeA2aTask(job, { extensions: [] }, undefined);
    expect(encoded).toMatchObject({
      request: {
        message: { parts: [{ text: DESCRIPTION }, { data: { topic: "cats" } }, { data: { feedback } }] },
      },
    });
  });

  it("is a message after the task for a model", () => {
    const [task, after, ...others] = encodeMessages(job, [], undefined);
    expect(task?.content).not.toContain("Feedback");
    expect(after).toMatchObject({ role: "user", content: expect.stringContaining("too long") as string });
    expect(others).toEqual([]);
  });

  it("stands below the task where everything is one text", () => {
    expect(encodeProgram(job, {}, []).stdin).toMatch(AS_TEXT);
    expect(bodyOf(restOptions({}), job)).toMatchObject({ message: expect.stringMatching(AS_TEXT) as string });
  });

  it("has a placeholder, and a field on stdin, of its own", () => {
    const options = restOptions({ body: { ask: "{task}", again: "{feedback}" } });
    expect(bodyOf(options, job)).toEqual({ ask: DESCRIPTION, again: feedback });
    expect(bodyOf(options, jobWith({}))).toEqual({ ask: DESCRIPTION, again: null });
    expect(JSON.parse(encodeProgram(job, { input: "json" }, []).stdin)).toMatchObject({ feedback });
    expect(encodeProgram(jobWith({ feedback }, ["agent", "{feedback}"]), {}, []).command[1]).toBe(
      JSON.stringify(feedback),
    );
  });

  it("is nowhere in what an agent is asked first", async () => {
    const first = jobWith({});
    const sent = [
      encodeAtpRequest(first),
      await encodeA2aTask(first, { extensions: [] }, undefined),
      encodeMessages(first, [], undefined),
      encodeProgram(first, { input: "json" }, []),
      bodyOf(restOptions({}), first),
    ];
    expect(JSON.stringify(sent)).not.toMatch(/feedback/i);
  });
});
