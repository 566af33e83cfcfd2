// The official Python SDK of A2A on the other side: as a client of the scripted agent and of the hub in front of it, and as an agent that the
// hub drives. Every binding, both versions.
import { execFile, spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf } from "../../src/core/answer.ts";
import { textPart } from "../../src/core/message.ts";
import { tckPack } from "../../src/doubles/scripted/packs/tck.ts";
import { openHubStage } from "../support/a2a/hub-stage.ts";
import { startAgent } from "../support/doubles/scripted.ts";
import { HANG_MS } from "../support/eventually.ts";
import { pythonPackage } from "../support/python-package.ts";
import { openTestHub, type TestHub } from "../support/test-hub.ts";

const run = promisify(execFile);
const sdk = pythonPackage("a2a-sdk[http-server]==1.3.0", ["uvicorn==0.54.0", "grpcio==1.85.1"]);
const missing = await sdk.install();
if (missing !== undefined) console.warn(`skipped: ${missing}`);

const python = join(sdk.venv, "bin/python");
const program = (name: string): string => fileURLToPath(new URL(`a2a/${name}`, import.meta.url));

describe.skipIf(missing !== undefined)("the official Python client of A2A", () => {
  const TALK = {
    streamed: "completed",
    artifact: "Stream hello from TCK",
    asked: "input_required",
    told: "http://127.0.0.1:9/hook",
    answered: "completed",
    kept: "completed",
    said: expect.arrayContaining(["Hello", "What else?", "That."]) as unknown,
    cancelled: "canceled",
    unknown: "TaskNotFoundError",
    not_cancelable: "TaskNotCancelableError",
    not_there: "TaskNotFoundError",
  };

  it(
    "talks to the scripted agent and to the hub over every interface of their cards",
    { timeout: HANG_MS },
    async () => {
      const agent = await startAgent({ script: tckPack(), grpcPort: 0 });
      const stage = await openHubStage({ agentUrl: agent.url });
      const { stdout } = await run(python, [program("client.py"), agent.url, stage.url]);
      await stage.close();
      const talks = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const ofAgent = talks.filter(({ url }) => url === agent.url);
      expect(ofAgent.map(({ spoken }) => spoken)).toEqual([
        "JSONRPC 1.0",
        "HTTP+JSON 1.0",
        "GRPC 1.0",
        "JSONRPC 0.3",
        "HTTP+JSON 0.3",
        "GRPC 0.3",
      ]);
      const ofHub = talks.filter(({ url }) => url === stage.url).map(({ spoken }) => spoken);
      expect(ofHub).toEqual(
        expect.arrayContaining(["JSONRPC 1.0", "HTTP+JSON 1.0", "JSONRPC 0.3", "HTTP+JSON 0.3"]),
      );
      for (const { url, spoken, begins, ...talk } of talks) {
        expect({ url, spoken, ...talk }).toEqual({ url, spoken, ...TALK });
        // What opens a stream is the script's to say in 0.3, and the hub's task in both.
        const opens = url === agent.url && String(spoken).endsWith("0.3") ? "status_update" : "task";
        expect([spoken, begins]).toEqual([spoken, opens]);
      }
    },
  );
});

describe.skipIf(missing !== undefined)(
  "an agent on the official Python SDK of A2A",
  { timeout: HANG_MS },
  () => {
    let server: ChildProcessByStdio<null, Readable, null>;
    let hub: TestHub;
    let url: string;

    beforeAll(async () => {
      server = spawn(python, [program("server.py")], { stdio: ["ignore", "pipe", "inherit"] });
      const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
      url = line;
      hub = await openTestHub();
    }, HANG_MS);
    afterAll(async () => {
      await hub.close();
      const gone = once(server, "exit");
      server.kill("SIGKILL");
      await gone;
    });

    it.each([
      ["JSONRPC", "1.0"],
      ["HTTP+JSON", "1.0"],
      ["JSONRPC", "0.3"],
      ["HTTP+JSON", "0.3"],
    ])("works, asks, answers and fails over %s in %s", async (binding, version) => {
      const name = `${binding}-${version}`.replaceAll(/\W/g, "-").toLowerCase();
      await hub.hub.addAgent({
        name,
        protocol: "a2a",
        transport: "http",
        url,
        options: { binding, version },
      });
      const submit = async (description: string): Promise<string> => {
        const options = { conversation: {} };
        return (await hub.hub.submit({ agent: name, task: { description }, options })).run.id;
      };
      const worked = await hub.ended(await submit("hello"));
      expect([worked.status, answerOf(worked), worked.violations]).toEqual([
        "completed",
        "you said hello",
        [],
      ]);
      const lone = await hub.ended(await submit("message"));
      expect([lone.status, answerOf(lone)]).toEqual(["completed", "hello"]);
      const failed = await hub.ended(await submit("fail"));
      expect([failed.status, failed.failure?.message]).toEqual(["failed", "it rains"]);
      const asking = await submit("ask");
      await hub.until(asking, ({ type }) => type === "session.parked");
      const [question] = (await hub.hub.run(asking)).questions;
      expect(question?.parts).toMatchObject([{ text: "which?" }]);
      await hub.hub.answer(asking, { question_id: question?.id ?? "", parts: [textPart("blue")] });
      const answered = await hub.ended(asking);
      expect([answered.status, answerOf(answered)]).toEqual(["completed", "you said blue"]);
    });
  },
);
