import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Job } from "../../../core/ports/driver.ts";
import { look, type Seen } from "../../../../test/support/term/agents.ts";
import { openCaseTerminal, startTrial, type CaseTerminal } from "../../../../test/support/term/terminal.ts";

let terminal: CaseTerminal;
beforeEach(async () => {
  terminal = await openCaseTerminal();
});
afterEach(() => terminal.close());

async function run(name: string, options: Job["options"] = {}): Promise<Seen> {
  const spec = { protocol: "term", transport: "builtin", command: [name] };
  const trial = startTrial({ spec, terminal: terminal.environment, options });
  await trial.done;
  return look(trial.reports);
}

describe("the agent oracle", () => {
  it("types the solution, however many steps it has, and is done", async () => {
    const script = ["cat > f <<'EOF'\none\nEOF", "cd /", ...Array.from({ length: 120 }, () => "true"), "pwd"];
    const { calls, ends, kinds, artifacts } = await run("oracle", {
      terminal: { script },
      environment: { snapshots: "last" },
    });
    expect(calls).toHaveLength(script.length);
    expect(calls.at(-1)).toMatchObject({ input: { command: "pwd", step: 123 }, output: { output: "/" } });
    expect(ends).toEqual([{ status: "completed" }]);
    expect(kinds).not.toContain("process.exited");
    expect(await readFile(join(terminal.workdir, "f"), "utf8")).toBe("one\n");
    expect(artifacts.map((one) => (one.type === "structured" ? one.name : one.path)).sort()).toEqual([
      "changes",
      "terminal/recording.cast",
      "terminal/snapshots/step-123.tar",
    ]);
  });

  it("goes on after a command that failed", async () => {
    const { calls, ends } = await run("oracle", { terminal: { script: ["false", "echo on"] } });
    expect(calls).toMatchObject([{ status: "error" }, { status: "success" }]);
    expect(ends).toEqual([{ status: "completed" }]);
  });

  it("fails, and says so, when there is nothing to type", async () => {
    const { ends } = await run("oracle");
    expect(ends).toMatchObject([
      {
        status: "failed",
        failure: {
          code: "INVALID_REQUEST",
          message: expect.stringMatching(/nothing to type\ngive the run options\.terminal\.script/) as string,
        },
      },
    ]);
  });
});

describe("the agent nop", () => {
  it("is done at once, without a shell, and its files are kept", async () => {
    const { calls, ends, artifacts } = await run("nop");
    expect(calls).toEqual([]);
    expect(ends).toEqual([{ status: "completed" }]);
    expect(terminal.shells).toBe(0);
    // Made side by side: whichever is ready first.
    expect(artifacts).toHaveLength(2);
    expect(artifacts).toContainEqual(expect.objectContaining({ name: "changes" }));
    const snapshot = { path: "terminal/snapshots/step-1.tar", extensions: { step: 1, final: true } };
    expect(artifacts).toContainEqual(expect.objectContaining(snapshot));
  });
});

it("there are no built-in agents but oracle and nop", async () => {
  const { ends } = await run("genius");
  expect(ends).toMatchObject([
    {
      failure: {
        code: "AGENT_NOT_STARTED",
        message: 'there is no built-in agent "genius"\nthere are: oracle, nop',
      },
    },
  ]);
});
