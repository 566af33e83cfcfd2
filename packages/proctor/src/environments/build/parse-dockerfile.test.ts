import { describe, expect, test } from "vitest";
import { parseDockerfile, type Instruction } from "./parse-dockerfile.ts";

async function parse(...lines: string[]): Promise<Instruction[]> {
  return (await parseDockerfile(lines.join("\n"), "Dockerfile")).instructions;
}

describe("a Dockerfile", () => {
  test("joins continued lines, without comments and empty lines between", async () => {
    const [, run] = await parse(
      "FROM debian",
      "RUN one && \\",
      "  # why",
      "",
      "  two \\",
      "  three",
      "WORKDIR /x",
    );
    expect(run).toMatchObject({ keyword: "RUN", line: 2, text: "one &&   two   three" });
    expect(run?.lines).toHaveLength(5);
  });

  test("reads flags, lists, and keywords in small letters", async () => {
    const [, copy, run] = await parse(
      "from debian",
      'copy --chown=a:b --from=x ["a b", "c/"]',
      'RUN ["sh", "-c", "echo"]',
    );
    expect(copy).toMatchObject({ keyword: "COPY", list: ["a b", "c/"] });
    expect(copy?.flags).toEqual([
      { name: "chown", value: "a:b" },
      { name: "from", value: "x" },
    ]);
    expect(run?.list).toEqual(["sh", "-c", "echo"]);
  });

  test("takes what looks like a list and is none as a command", async () => {
    const [, run] = await parse("FROM debian", "RUN [ -f /x ] && echo");
    expect(run?.list).toBeUndefined();
    expect(run?.text).toBe("[ -f /x ] && echo");
  });

  test("reads here-documents", async () => {
    const [, run, copy, last] = await parse(
      "FROM debian",
      "RUN <<EOF",
      "echo $X",
      "# not a comment",
      "EOF",
      "COPY <<-'ONE' <<TWO /dest/",
      "\ttabs go",
      "\tONE",
      "two",
      "TWO",
      "WORKDIR /x",
    );
    expect(run?.heredocs).toEqual([{ name: "EOF", content: "echo $X\n# not a comment\n", expand: true }]);
    expect(copy?.heredocs).toEqual([
      { name: "ONE", content: "tabs go\n", expand: false },
      { name: "TWO", content: "two\n", expand: true },
    ]);
    expect(last).toMatchObject({ keyword: "WORKDIR", line: 11 });
  });

  test("may name another escape character in its first line", async () => {
    const [, run] = await parse("# escape=`", "FROM debian", "RUN one `", "two");
    expect(run?.text).toBe("one two");
  });

  test.each([
    ["an unknown instruction", ["FROM debian", "", "FRUM x"], "Dockerfile:3: there is no instruction FRUM"],
    ["a file without instructions", ["# nothing"], "Dockerfile:1: it has no instruction"],
    ["a file that is too long", ["x".repeat(1_000_001)], "Dockerfile:1: it is longer"],
  ])("is refused, with its line, for %s", async (_, lines, message) => {
    await expect(parse(...lines)).rejects.toMatchObject({
      code: "BUILD_FAILED",
      message: expect.stringContaining(message),
    });
  });
});
