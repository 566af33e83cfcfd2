// The three SDKs behave the same: each case is a conversation with the same agent in each language.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, type ExpectStatic, it } from "vitest";
import { type FakeModel, KEY, openFakeModel, type ScriptedAnswer } from "./fake-model.ts";
import { type AgentName, LANGUAGES, type Prepared } from "./languages.ts";
import { createTalk, parseLines, runAgent, startAgent } from "./run-agent.ts";

/** A line of protocol.jsonl. */
interface ProtocolCase {
  name: string;
  agent: AgentName;
  /** Lines to send. A string is sent as it is, anything else as JSON. */
  input: unknown[];
  output: unknown[];
  code: number;
  /** Regular expressions that match what the agent prints to stderr. */
  stderr?: string[];
  env?: Record<string, string>;
}

/** A line of model.jsonl. */
interface ModelCase {
  name: string;
  answers: ScriptedAnswer[];
  /** Calls that the agent makes of its model. */
  calls: object[];
  /** Fields that each result must have; it may have more. */
  results: object[];
  requests?: object[];
  env?: Record<string, string>;
}

const protocolCases = readCases<ProtocolCase>("protocol.jsonl");
const modelCases = readCases<ModelCase>("model.jsonl");

function readCases<Case>(file: string): Case[] {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);
}

/** Pairs each case with its name, which becomes the title of the test. */
const named = <Case extends { name: string }>(cases: readonly Case[]): (readonly [string, Case])[] =>
  cases.map((example) => [example.name, example] as const);

const toLine = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const modelVariables = ({ url }: FakeModel): Record<string, string> => {
  return { LLM_API_URL: url, LLM_API_KEY: KEY, LLM_MODEL: "model-1", LLM_PROVIDER: "fake" };
};

async function expectModelCase(
  { answers, calls, results, requests }: ModelCase,
  model: FakeModel,
  ask: (lines: readonly string[]) => Promise<unknown[]>,
  expect: ExpectStatic,
): Promise<void> {
  model.begin(answers);
  const lines = [{ op: "new" }, ...calls].map((call) => toLine({ instruction: "llm", step: 2, call }));
  const [, ...given] = await ask(lines);
  expect(given).toMatchObject(results.map((data) => ({ text: "llm", data })));
  expect(JSON.stringify(given)).not.toContain(KEY);
  expect(model.complaints).toEqual([]);
  if (requests !== undefined) expect(model.requests).toMatchObject(requests);
}

for (const { name, missing, prepare } of LANGUAGES) {
  describe.skipIf(missing)(`an agent in ${name}`, () => {
    let agents: Prepared;
    beforeAll(async () => {
      agents = await prepare();
    }, 300_000);
    afterAll(() => agents?.remove());

    it("may ask its model for a step, and knows at the end what that cost", async () => {
      const model = await openFakeModel();
      try {
        const content = '```json\n{"command": "ls", "task_complete": false}\n```';
        const message = { role: "assistant", content };
        const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, cost: 0.25 };
        model.begin([{ json: { choices: [{ message, finish_reason: "stop" }], usage } }]);
        const lines = [1, 2].map((step) => toLine({ instruction: "look", step }));
        const ended = await runAgent(
          agents.command("model"),
          { ...agents.env, ...modelVariables(model) },
          lines,
        );
        expect(ended).toMatchObject({ code: 0, stderr: "$0.2500 for 5 tokens\n" });
        expect(parseLines(ended.stdout)).toMatchObject([{ command: "ls" }, { task_complete: true }]);
        expect(model.requests).toMatchObject([
          {
            messages: [
              { role: "system", content: "Answer with JSON." },
              { role: "user", content: "Task: look" },
            ],
          },
        ]);
      } finally {
        await model.close();
      }
    });

    it.concurrent.for(named(protocolCases))("%s", async ([, example], { expect }) => {
      const { agent, input, output, code, stderr = [], env = {} } = example;
      const ended = await runAgent(agents.command(agent), { ...agents.env, ...env }, input.map(toLine));
      expect({ output: parseLines(ended.stdout), code: ended.code }, ended.stderr).toEqual({ output, code });
      for (const pattern of stderr) expect(ended.stderr).toMatch(new RegExp(pattern));
    });

    it.concurrent.for(named(modelCases.filter(({ env }) => env !== undefined)))(
      "model: %s",
      async ([, { env, ...example }], { expect }) => {
        const model = await openFakeModel();
        const variables = { ...agents.env, ...modelVariables(model), ...env };
        const talk = createTalk(() => startAgent(agents.command("cases"), variables));
        await expectModelCase(example, model, talk.ask, expect);
        await model.close();
      },
    );

    describe("in one process", () => {
      let model: FakeModel;
      const talk = createTalk(() =>
        startAgent(agents.command("cases"), { ...agents.env, ...modelVariables(model) }),
      );
      beforeAll(async () => {
        model = await openFakeModel();
      });
      afterAll(() => model.close());

      it.for(named(modelCases.filter(({ env }) => env === undefined)))(
        "model: %s",
        async ([, example], { expect }) => {
          await expectModelCase(example, model, talk.ask, expect);
        },
      );
    });

    it("answers each line before the next one comes", async () => {
      const { child, lines, ended } = startAgent(agents.command("hello"), agents.env);
      child.stdin.write(`${toLine({ instruction: "a", step: 1 })}\n`);
      expect(await lines(1)).toHaveLength(1);
      child.stdin.write('{"instruction": "a", ');
      child.stdin.write('"step": 2}\n');
      expect((await lines(2)).map((line): unknown => JSON.parse(line))).toMatchObject([
        { command: "echo 'Hello, world!' > hello.txt" },
        { task_complete: true },
      ]);
      // The agent ends although the input is still open.
      expect(await ended).toMatchObject({ code: 0, stderr: "" });
    });

    it("takes a request that ends without a newline, and one of several megabytes", async () => {
      const large = toLine({ instruction: "has", step: 1, output: "x".repeat(5_000_000), patterns: ["XX"] });
      const { child, ended } = startAgent(agents.command("cases"), agents.env);
      child.stdin.end(`${large}\n${toLine({ instruction: "cmd", step: 2, command: "ls" })}`);
      expect(parseLines((await ended).stdout)).toMatchObject([{ data: true }, { command: "ls" }]);
    });

    it("fails when the harness is gone", async () => {
      const { child, ended } = startAgent(agents.command("cases"), agents.env);
      child.stdout.destroy();
      child.stdin.write(`${toLine({ instruction: "cmd", step: 1, command: "x".repeat(200_000) })}\n`);
      const { code, stderr } = await ended;
      expect(code).toBe(1);
      expect(stderr).toContain("cleanup");
    });
  });
}
