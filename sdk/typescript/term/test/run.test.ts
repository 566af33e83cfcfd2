// The life of a terminal agent in Node: streams, errors, signals. The cases that all languages share are in sdk/term-cases.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { type Agent as Program, startAgent } from "../../../term-cases/run-agent.ts";
import { Agent, Request, RequestError, Response, runLoop } from "../src/index.ts";

const FIRST = '{"instruction": "a", "step": 1}\n';

async function play(
  agent: Agent,
  ...chunks: (string | Uint8Array)[]
): Promise<{ last: unknown; text: string }> {
  let text = "";
  async function* input(): AsyncGenerator<string | Uint8Array> {
    yield* chunks;
  }
  const last = await runLoop(agent, {
    input: input(),
    write: (line) => {
      text += line;
    },
  });
  return { last, text };
}

describe("runLoop of a terminal agent in TypeScript", () => {
  it("calls setup, solve and cleanup in order, and resolves with the last answer", async () => {
    const calls: unknown[] = [];
    class Recorder extends Agent {
      override async setup(): Promise<void> {
        calls.push("setup");
      }
      override solve(req: Request): Response {
        calls.push(req.step);
        return req.first ? Response.cmd("ls") : Response.done("end");
      }
      override cleanup(): void {
        calls.push("cleanup");
      }
    }
    const bytes = Buffer.from(`${FIRST}\n${FIRST.replace("1", "2")}${FIRST}`);
    const { last, text } = await play(new Recorder(), ...[...bytes].map((byte) => Uint8Array.of(byte)));
    expect(last).toMatchObject({ taskComplete: true, text: "end" });
    expect(text.trimEnd().split("\n")).toHaveLength(2);
    expect(calls).toEqual(["setup", 1, 2, "cleanup"]);
  });

  it("throws what the agent throws, after cleanup, and shows what cleanup throws", async () => {
    let isClean = false;
    const agent = {
      solve: () => Promise.reject(new TypeError("no")),
      cleanup: () => {
        isClean = true;
        throw new Error("that too");
      },
    };
    const shown = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    await expect(play(agent, FIRST)).rejects.toThrow(new TypeError("no"));
    expect(shown.mock.calls.join("")).toContain("the agent failed: that too");
    shown.mockRestore();
    expect(isClean).toBe(true);
  });

  it.each([undefined, null, { command: "ls", task_complete: false }, "ls"])(
    "refuses %j as an answer",
    async (answer) => {
      // A plain JavaScript agent may return anything.
      const agent = { solve: () => answer } as unknown as Agent;
      await expect(play(agent, FIRST)).rejects.toThrow(/^solve returned \w+, not a Response$/);
    },
  );

  it("refuses what is no request", async () => {
    await expect(play({ solve: () => Response.done() }, "{}\n")).rejects.toThrow(RequestError);
  });
});

describe("a terminal agent in TypeScript", () => {
  it("reads a request from an object as well as from a text", () => {
    expect(Request.parse({ instruction: "a", step: 1 })).toEqual(Request.parse(FIRST));
  });

  it("matches output with an expression or a text, each time from the start", () => {
    const request = Request.parse({ instruction: "a", step: 2, output: "1 passed, 2 passed" });
    const pattern = /(\d) passed/g;
    expect([request.match(pattern)?.[1], request.match(pattern)?.[1]]).toEqual(["1", "1"]);
    expect(request.match("(?<count>\\d) passed")?.groups).toMatchObject({ count: "1" });
  });

  it("writes the same line of a response as JSON.stringify", () => {
    const response = Response.cmd("a\nb", "why").withData({ n: 1 }).complete();
    expect(JSON.stringify(response)).toBe(response.toLine());
    expect(JSON.parse(response.toLine())).toEqual({
      command: "a\nb",
      task_complete: true,
      text: "why",
      data: { n: 1 },
    });
  });

  it("refuses a response with a field of a wrong type", () => {
    const circle: { [name: string]: never } = {};
    Object.assign(circle, { circle });
    // Plain JavaScript may set any field to anything.
    const wrong = [Response.cmd(5 as unknown as string), Response.done().withData(circle)];
    for (const response of wrong) expect(() => response.toLine()).toThrow(/^the response/);
  });

  it("takes a response from what a model answered", () => {
    expect(Response.fromLLM({ text: '{"command": "ls"}' })).toEqual(Response.cmd("ls"));
    expect(() => Response.fromLLM(undefined as unknown as string)).toThrow(/a model's text is needed/);
  });

  it.each([
    ["open braces", "{".repeat(200_000)],
    ["nested objects", '{"a":'.repeat(50_000)],
    ["open strings", '{"a'.repeat(50_000)],
    ["backslashes", `{"a":"${"\\".repeat(200_001)}`],
    ["empty objects", "{}".repeat(50_000)],
  ])("finds no answer in a model's text of very many %s", (_, text) => {
    expect(() => Response.fromLLM(text)).toThrow(/holds no answer/);
  });
});

describe("run of a terminal agent in TypeScript", () => {
  const folder = mkdtempSync(join(tmpdir(), "term-run-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const sdk = new URL("../src/index.ts", import.meta.url).href;
  const tsx = import.meta.resolve("tsx");
  let count = 0;

  function start(body: string): Program {
    count += 1;
    const file = join(folder, `agent-${count}.mjs`);
    writeFileSync(file, `import { Agent, Response, run } from ${JSON.stringify(sdk)};\n${body}\n`);
    return startAgent([process.execPath, "--import", tsx, file]);
  }

  it("prints to stderr what the agent prints, and ends although something is still open", async () => {
    const { child, ended } = start(`
      setInterval(() => {}, 1000);
      run({ solve: (req) => { console.log("printed"); return Response.done(); } });`);
    child.stdin.write(FIRST);
    const done = '{"command":null,"task_complete":true}\n';
    expect(await ended).toEqual({ code: 0, stdout: done, stderr: "printed\n" });
  });

  it.each([
    [
      "an exception of a timer",
      "setTimeout(() => { throw new Error('too late'); }); await new Promise(() => {});",
    ],
    [
      "a rejection that nobody handles",
      "void Promise.reject(new Error('too late')); await new Promise(() => {});",
    ],
  ])("fails with %s, after cleanup", async (_, body) => {
    const { child, ended } = start(`
      run({ async solve() { ${body} }, async cleanup() { await null; console.log("cleanup"); } });`);
    child.stdin.write(FIRST);
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/term-sdk: the agent failed: too late\ncleanup\n$/);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("ends with %s, after cleanup", async (name, code) => {
    const { child, ended } = start(`
      run({
        async solve() { console.log("here"); await new Promise(() => {}); },
        async cleanup() { await null; console.log("cleanup"); },
      });`);
    child.stdin.write(FIRST);
    await new Promise((resolve) => {
      child.stderr.once("data", resolve);
    });
    child.kill(name);
    expect(await ended).toEqual({ code, stdout: "", stderr: "here\ncleanup\n" });
  });

  it("runs the agent of the README", async () => {
    const readme = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
    const [, code = ""] = /```ts\n([^]*?)```/.exec(readme) ?? [];
    const file = join(folder, "readme.mts");
    writeFileSync(file, code.replace('"term-sdk"', JSON.stringify(sdk)));
    const { child, ended } = startAgent([process.execPath, "--import", tsx, file]);
    child.stdin.end(`${FIRST}{"instruction": "a", "step": 2, "exit_code": 0}\n`);
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining("looked around") });
  });
});
