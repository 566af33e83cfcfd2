// What a program is given, and what its output comes to.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentSpec } from "../../core/agent.ts";
import type { JsonObject } from "../../core/json.ts";
import { textPart } from "../../core/message.ts";
import type { JobConversation } from "../../core/ports/driver.ts";
import { checkOptions } from "../registry.ts";
import { drive } from "../../../test/support/protocols/drive.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";

const node = (code: string, ...words: string[]): AgentSpec =>
  program([process.execPath, "-e", code, "--", ...words]);
const program = (command: string[], options?: JsonObject): AgentSpec => ({
  protocol: "text",
  transport: "stdio",
  command,
  ...(options && { options }),
});
const SHOW = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
const TALK: JobConversation = {
  id: "talk-1",
  history: async () => [
    { id: "1", role: "user", parts: [textPart("first {task}")] },
    { id: "2", role: "agent", parts: [textPart("second")] },
  ],
};

describe("a program that prints its answer", () => {
  it("gets the task and its input data on stdin, and its output without the last line breaks is the answer", async () => {
    const task = { description: "say\nthis", input_data: { n: 1 } };
    const { output, said, end } = await drive(program(["cat"]), { task });
    expect(output).toBe('say\nthis\n\n{\n  "n": 1\n}');
    expect({ said, status: end.status }).toEqual({ said: output, status: "completed" });
  });

  it("gets the task as one argument where its command line says so, and then nothing on stdin", async () => {
    const text = `it's "$(id)" \`x\` ; rm {task} \u2603\n-- '`;
    const task = { description: text, input_data: { n: [1, "a"] } };
    const words = ["{task}", "--n={input.n}", "{input.none}", "{json}"];
    const { output } = await drive(node(SHOW, ...words), { task });
    expect(JSON.parse(output as string)).toEqual([text, '--n=[1,"a"]', "", "{json}"]);
    const stdin =
      "process.stdin.on('data', (b) => console.log(String(b))).on('end', () => console.log('over'))";
    expect((await drive(node(stdin, "{task}"), { task })).output).toBe("over");
  });

  it("gets what was said before as a transcript, or as JSON on stdin", async () => {
    const task = { description: "third" };
    const argued = await drive(node(SHOW, "{history}", "{task}"), { task, conversation: TALK });
    expect(JSON.parse(argued.output as string)).toEqual(["user: first {task}\n\nassistant: second", "third"]);
    const { output } = await drive(program(["cat"], { input: "json" }), { task, conversation: TALK });
    expect(JSON.parse(output as string)).toEqual({
      task: "third",
      input_data: null,
      history: [
        { role: "user", content: "first {task}" },
        { role: "assistant", content: "second" },
      ],
    });
  });

  it("that was told nothing of what was said before is noted", async () => {
    const { logs } = await drive(program(["cat"]), { conversation: TALK });
    expect(logs["platform"]).toContain("not told what was said before");
    expect((await drive(program(["cat"]))).logs).toEqual({});
  });

  it("is heard while it prints, even without line breaks, and its stderr is logged", async () => {
    const heard = join(temporaryFolder("text-program"), "heard");
    // Prints the rest only when its first letter was heard.
    const code = `process.stdout.write("a"); console.error("one\\ntwo");
      const wait = () => require("fs").existsSync(${JSON.stringify(heard)}) ? process.stdout.write("\\n\\nb\\n") : setTimeout(wait, 10);
      wait();`;
    const { reports, output, logs } = await drive(node(code), {}, (report) => {
      if (report.kind === "text" && report.text === "a") writeFileSync(heard, "");
    });
    expect(output).toBe("a\n\nb");
    expect(reports.filter(({ kind }) => kind === "text")).toMatchObject([
      { text: "a", last: false },
      { text: "\n\nb", last: false },
      { text: "", last: true },
    ]);
    expect(logs["stderr"]).toBe("one\ntwo");
  });

  it("may print nothing when it exits with 0", async () => {
    expect(await drive(program(["true"]))).toMatchObject({
      output: "",
      said: "",
      end: { status: "completed" },
    });
  });

  it("that exits with another code has crashed, with its first and last words", async () => {
    const code = "console.log('so far'); console.error('Traceback\\nboom'); process.exitCode = 3";
    const { end, output } = await drive(node(code));
    expect(end.failure).toEqual({
      code: "AGENT_CRASHED",
      message: "the program exited with code 3",
      details: { code: 3, signal: null, stdout: "so far", stderr: "Traceback\nboom" },
    });
    expect(output).toBeUndefined();
  });

  it("that does not exist was not started", async () => {
    const { end } = await drive(program(["/no/such/program", "{task}"]));
    expect(end.failure).toMatchObject({ code: "AGENT_NOT_STARTED", details: { reason: "not-found" } });
  });

  it("has the agent's variables, the run's, and its directory", async () => {
    const spec = {
      ...node("console.log(process.env.OWN, process.env.RUN, process.cwd())"),
      env: { OWN: "a" },
      cwd: "/",
    };
    const { output } = await drive(spec, { context: { environment: { RUN: "b" } } });
    expect(output).toBe("a b /");
  });

  it("that stays after it closed its output is ended, and its answer counts", async () => {
    const { end, output, rules } = await drive(program(["sh", "-c", "echo done; exec >&-; exec sleep 600"]));
    expect({ status: end.status, output, rules }).toEqual({
      status: "completed",
      output: "done",
      rules: ["process.lingered"],
    });
  });
});

describe("the options of a program that prints its answer", () => {
  it.each<[spec: AgentSpec, message: RegExp]>([
    [program(["cat"], { input: "yaml" }), /must be "task" or "json"/],
    [program(["cat"], { inptu: "json" }), /unknown key "inptu".*did you mean "input"/],
    [program(["say", "{taks}"]), /there is no "\{taks\}".*did you mean \{task\}/],
    [program(["sh", "-c", "echo {task}"]), /would be run as code.*sh \{task\}/],
    [program(["/usr/bin/env", "bash", "-lc", "x '{message}'"]), /would be run as code/],
    [program(["bash", "-o", "pipefail", "-c", "x {task} | y"]), /would be run as code/],
    [program(["python3.12", "-u", "-c", "print('{task}')"]), /would be run as code/],
    [program(["node", "--eval", "x({input.a})"]), /would be run as code/],
  ])("are refused before anything runs: %j", async (spec, message) => {
    const [first] = checkOptions(spec);
    expect(`${first?.message} ${first?.hint}`).toMatch(message);
    expect((await drive(spec)).end.failure?.code).toBe("INVALID_REQUEST");
  });

  it.each([
    [["sh", "-c", 'program "$1"', "sh", "{task}"]],
    [["python3", "agent.py", "-c", "config.yaml", "--prompt={task}"]],
    [["node", "--import", "tsx", "agent.ts", "-p", "{task}"]],
    [["bash", "agent.sh", "-c", "{task}"]],
    [["claude", "-p", "{task}"]],
    [["cat"]],
  ])("accept %j", (command) => {
    expect(checkOptions(program(command))).toEqual([]);
  });
});
