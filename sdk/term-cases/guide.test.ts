// The agents of the guide "Write a terminal agent" are those of the examples, and the one that asks a model works.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeModel, KEY, openFakeModel } from "./fake-model.ts";
import { LANGUAGES } from "./languages.ts";
import { parseLines, runAgent } from "./run-agent.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, "utf8");
const guide = read("docs/guides/write-a-terminal-agent.md");
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "g"))].map(([, code = ""]) => code);

it("the first agent is the same in the guide and in examples/", () => {
  expect(blocks("python")[0]).toBe(read("examples/terminal-agents/hello.py"));
  expect(read("examples/terminal-agents/hello.rs")).toContain(blocks("rust")[0]);
  const [, ...body] = blocks("ts")[0]?.split("\n") ?? [];
  expect(read("examples/terminal-agents/hello.ts")).toContain(body.join("\n"));
});

const [python] = LANGUAGES;

describe.skipIf(python?.missing)("agents that ask a model", () => {
  let model: FakeModel;
  beforeAll(async () => {
    model = await openFakeModel();
  });
  afterAll(() => model.close());

  const answer = (content: string): object => ({ json: { choices: [{ message: { content } }] } });
  const requests = [
    { instruction: "Look around", step: 1, cwd: "/app" },
    { instruction: "Look around", step: 2, last_command: "ls", output: "a.txt", exit_code: 0, cwd: "/app" },
  ].map((request) => JSON.stringify(request));
  const run = async (args: string[]): ReturnType<typeof runAgent> => {
    const prepared = await python?.prepare();
    const variables = { LLM_API_URL: model.url, LLM_API_KEY: KEY, LLM_MODEL: "m" };
    return runAgent(["python3", ...args], { ...prepared?.env, ...variables }, requests);
  };

  it("the one in the guide asks its model and does what it answers", async () => {
    model.begin([
      answer('```json\n{"command": "ls"}\n```'),
      answer('{"command": null, "task_complete": true}'),
    ]);
    const { code, stdout } = await run(["-c", blocks("python")[1] ?? ""]);
    expect({ code, given: parseLines(stdout) }).toMatchObject({
      code: 0,
      given: [{ command: "ls" }, { task_complete: true }],
    });
    expect(model.requests[1]).toMatchObject({
      messages: [
        {},
        { content: "Look around" },
        { role: "assistant" },
        { content: "Exit code 0. Output:\na.txt" },
      ],
    });
  });

  it("llm_agent.py asks again when an answer is unusable, and fails when all are", async () => {
    const file = `${ROOT}examples/terminal-agents/llm_agent.py`;
    model.begin([answer("Let me see."), answer('{"command": "ls"}'), answer('{"task_complete": true}')]);
    const ended = await run([file]);
    expect({ code: ended.code, given: parseLines(ended.stdout) }).toMatchObject({
      code: 0,
      given: [{ command: "ls" }, { task_complete: true }],
    });
    expect(JSON.stringify(model.requests[1])).toContain("That could not be used");

    model.begin(Array.from({ length: 3 }, () => answer("I am done.")));
    expect(await run([file])).toMatchObject({ code: 1, stdout: "" });
  });
});
