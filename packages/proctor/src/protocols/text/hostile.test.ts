// Programs that print too much, without end, or no text at all; tasks that no argument can hold.
import { describe, expect, it } from "vitest";
import type { AgentSpec } from "../../core/agent.ts";
import { drive } from "../../../test/support/protocols/drive.ts";

const program = (...command: string[]): AgentSpec => ({ protocol: "text", transport: "stdio", command });

describe("a hostile program", () => {
  it("gets a large task whole, and its large answer is taken", async () => {
    const text = "x".repeat(2_000_000);
    const { output, said, logs } = await drive(program("cat"), { task: { description: text } });
    expect(output).toBe(text);
    expect(said.length).toBeLessThanOrEqual(1024 * 1024);
    expect(logs["platform"]).toContain("longer than a message may be");
  });

  it("that prints without end is ended", async () => {
    const { end, output } = await drive(program("yes"));
    expect(end.failure).toMatchObject({
      code: "INVALID_RESPONSE",
      message: expect.stringMatching(/printed more than \d+ characters/) as string,
    });
    expect(output).toBeUndefined();
  });

  it("that prints line breaks without end is ended", async () => {
    const code =
      "const b = '\\n'.repeat(65536); const pour = () => { while (process.stdout.write(b)); }; process.stdout.on('drain', pour); pour()";
    const { end } = await drive(program(process.execPath, "-e", code));
    expect(end.failure?.code).toBe("INVALID_RESPONSE");
  });

  it("that never reads its input is heard all the same", async () => {
    const { output } = await drive(program("echo", "deaf"), { task: { description: "x".repeat(1_000_000) } });
    expect(output).toBe("deaf");
  });

  it("that prints bytes which are no text is recorded once, and a character in two pieces is whole", async () => {
    const binary = String.raw`printf 'a\377\376b'; sleep 0.2; printf '\342\202'; sleep 0.2; printf '\254\000\377'`;
    const { output, rules } = await drive(program("sh", "-c", binary));
    expect(output).toBe("a\uFFFD\uFFFDb€\0\uFFFD");
    expect(rules).toEqual(["line.encoding"]);
  });

  it("is not started with a task that no argument can hold", async () => {
    const { end } = await drive(program("echo", "{task}"), { task: { description: "a\0b" } });
    expect(end.failure).toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("NUL") as string,
    });
    const long = await drive(program("echo", "{task}"), { task: { description: "x".repeat(3_000_000) } });
    expect(long.end.failure).toMatchObject({ code: "AGENT_NOT_STARTED" });
  });

  it("is never the task's own choice", async () => {
    const { end } = await drive(program("{task}"), { task: { description: "id" } });
    expect(end.failure).toMatchObject({
      code: "AGENT_NOT_STARTED",
      message: expect.stringContaining("{task}") as string,
    });
  });
});
