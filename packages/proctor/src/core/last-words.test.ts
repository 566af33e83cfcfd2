import { describe, expect, it } from "vitest";
import { failure } from "./failure.ts";
import { lastWords } from "./last-words.ts";

const crashed = (stderr: string) => failure("AGENT_CRASHED", "exited", { stderr });

describe("the last words of a program", () => {
  it("are the end of its stderr, line by line", () => {
    const lines = Array.from({ length: 12 }, (_, index) => `  at line ${index}`);

    expect(lastWords(crashed(`Error: no\n${lines.join("\n")}\n`))).toEqual([
      "stderr:",
      ...lines.slice(2).map((line) => `  ${line}`),
    ]);
  });

  it("are what it printed instead of an answer", () => {
    expect(lastWords(failure("NO_RESPONSE", "silent", { stdout: "hello world\r\nbye" }))).toEqual([
      "it printed:",
      "  hello world",
      "  bye",
    ]);
  });

  it("are empty where nothing is known", () => {
    expect(lastWords(failure("TIMEOUT", "too slow"))).toEqual([]);
    expect(lastWords(failure("AGENT_CRASHED", "exited", { stderr: " \n", stdout: 7 }))).toEqual([]);
  });

  it.each([
    ["ModuleNotFoundError: No module named 'my_tools'", "--env PYTHONPATH"],
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'openai'", "--env NODE_PATH"],
    ["KeyError: 'OPENAI_BASE_URL'", "--env OPENAI_BASE_URL"],
    ["The OPENAI_API_KEY is missing or empty", "--env OPENAI_API_KEY"],
    ["please set the environment variable SERVICE_HOST", "--env SERVICE_HOST"],
  ])("hint at the environment after %j", (said, hint) => {
    const last = lastWords(crashed(said)).at(-1);

    expect(last).toContain("agents do not inherit your shell's environment");
    expect(last).toContain(hint);
  });

  it.each(["KeyError: 'name'", "TypeError: x is not a function", "Traceback (most recent call last):"])(
    "hint at nothing after %j",
    (said) => expect(lastWords(crashed(said))).toEqual(["stderr:", `  ${said}`]),
  );
});
