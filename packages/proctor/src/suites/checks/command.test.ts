import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Verdict } from "../verdict.ts";
import { check, subject } from "../../../test/support/suites/check-subject.ts";
import { findCheck } from "./registry.ts";
import { given, workspaceWith } from "../../../test/support/suites/check-workspace.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

const folder = temporaryFolder("commands");
const workspace = workspaceWith(folder, { "sub/here.txt": "x", "app.sh": "#!/bin/sh\necho app\n" });
symlinkSync("/etc", join(folder, "way-out"));

const judge = (config: object, type = "command"): Promise<Verdict> =>
  check(type, config, given(workspace, { run: { id: "run-1" }, folder: "/suites" }));
const shell = (script: string, more: object = {}): Promise<Verdict> =>
  judge({ command: ["sh", "-c", script], ...more });

describe("the check command, by the exit code,", () => {
  test.each<[string, object, string]>([
    ["exit 0", {}, "pass"],
    ["exit 3", {}, "fail"],
    ["exit 3", { exit_code: 3 }, "pass"],
    ["exit 3", { exit_code: [0, 3] }, "pass"],
    ["exit 4", { exit_code: [0, 3] }, "fail"],
    ["exit 4", { exit_code: null }, "pass"],
    ["kill -KILL $$", {}, "fail"],
    ["kill -KILL $$", { exit_code: null }, "pass"],
  ])("of %s with %j is %s", async (script, config, outcome) => {
    expect((await shell(script, config)).outcome).toBe(outcome);
  });

  test("says the exit code, with the end of the output", async () => {
    const { message, details } = await shell("echo out; echo 'went wrong' >&2; exit 3");
    expect(message).toContain(`exited with 3, 0 expected; it wrote "went wrong"`);
    expect(details).toMatchObject({ exit_code: 3, stdout: "out", stderr: "went wrong" });
    const long = await shell("yes line | head -n 20000; echo last; exit 1");
    expect(long.message).toMatch(/it wrote "….*line\\nlast"$/);
    expect(long.message.length).toBeLessThan(700);
    expect(long.details?.["stdout"]).toHaveLength(4000);
  });

  test("keeps colours and control characters out of its message", async () => {
    const { message } = await shell("printf '\\033[31mred\\033[0m \\007'; exit 1");
    expect(message).toContain("red");
    expect(message).not.toContain("\u001b");
    expect(message).not.toContain("\u0007");
  });
});

describe("the check command, by the output,", () => {
  test.each<[object, string]>([
    [{ stdout: { contains: "lo" } }, "pass"],
    [{ stdout: { contains: "xx" } }, "fail"],
    [{ stdout: { equals: '{"a":[1]} hello' } }, "pass"],
    [{ stdout: { equals: "hello" } }, "fail"],
    [{ stdout: { regex: "(?i)HELLO$" } }, "fail"],
    [{ stdout: { regex: "(?im)HELLO$" } }, "pass"],
    [{ stderr: { equals: "" } }, "pass"],
    [{ stdout: { contains: "a", regex: "^nope" } }, "fail"],
    [{ stdout: { json_path: { path: "$.a", exists: true } } }, "fail"],
  ])("with %j is %s", async (config, outcome) => {
    const command = ["printf", '{"a":[1]} hello\\n'];
    expect((await judge({ command, ...config })).outcome).toBe(outcome);
  });

  test("may read it as JSON", async () => {
    const command = ["echo", '{"a":[1,2]}'];
    const rule = (rule: object): Promise<Verdict> => judge({ command, stdout: { json_path: rule } });
    expect((await rule({ path: "$.a[*]", equals: 2 })).outcome).toBe("pass");
    expect((await rule({ path: "$.a[*]", equals: 3 })).message).toContain("$.a[*]: 3 expected, found 1, 2");
  });

  test("compares it with what was expected", async () => {
    const verdict = await judge({ command: ["echo", "found"], stdout: { equals: "wanted" } });
    expect(verdict.details).toMatchObject({ expected: "wanted", actual: "found\n", exit_code: 0 });
  });

  test("gives up on an expression that never ends", async () => {
    const config = { command: ["echo", `${"a".repeat(60)}!`], stdout: { regex: "^(a+)+$" } };
    const verdict = await soonTooSlow(() => judge(config));
    expect(verdict.outcome).toBe("unevaluated");
  });
});

describe("the check command runs its program", () => {
  test("in the workspace, or in a folder of it", async () => {
    expect((await judge({ command: "ls", stdout: { contains: "app.sh" } })).outcome).toBe("pass");
    expect((await judge({ command: "ls", cwd: "sub", stdout: { equals: "here.txt" } })).outcome).toBe("pass");
    expect((await judge({ command: "ls", cwd: "none" })).message).toBe('the workspace has no folder "none"');
    expect((await judge({ command: "ls", cwd: "way-out" })).outcome).toBe("unevaluated");
    expect(() => judge({ command: "ls", cwd: "../" })).toThrow("leads out");
  });

  test("from a text split as a shell splits it, without expanding anything", async () => {
    const config = { command: `echo "a  b" 'c' $HOME *`, stdout: { equals: "a  b c $HOME *" } };
    expect((await judge(config)).outcome).toBe("pass");
  });

  test("with its own variables and input, and none of ours", async () => {
    process.env["SECRET_OF_OURS"] = "leaked";
    const script =
      'cat; echo "$MINE $PROCTOR_RUN_ID $PROCTOR_SUITE_FOLDER $SECRET_OF_OURS"; [ "$PROCTOR_WORKSPACE" = "$(pwd -P)" ]';
    const config = { env: { MINE: "m", PROCTOR_RUN_ID: "no" }, input: "in\n" };
    try {
      expect(await shell(script, { ...config, stdout: { equals: "in\nm run-1 /suites \n" } })).toMatchObject({
        outcome: "pass",
      });
    } finally {
      delete process.env["SECRET_OF_OURS"];
    }
  });

  test("without showing the values of variables that name a secret", async () => {
    const env = { API_KEY: "sk-very-secret-1234", MODE: "production" };
    const verdict = await shell('echo "key $API_KEY in $MODE"; exit 1', { env });
    expect(JSON.stringify(verdict)).not.toContain("very-secret");
    expect(verdict.message).toContain("production");
    const other = await shell('echo "$API_KEY"', { env, stdout: { equals: "x" } });
    expect(other.outcome).toBe("fail");
    expect(JSON.stringify(other)).not.toContain("very-secret");
  });
});

describe("the check command", () => {
  test("is unevaluated for a program that is not installed, and fails for one the agent should have made", async () => {
    const missing = await judge({ command: "no-such-program --now" });
    expect(missing).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("no-such-program"),
    });
    expect(await judge({ command: "./build/app" })).toEqual({
      outcome: "fail",
      message: 'the workspace has no program "./build/app"',
    });
    expect((await judge({ command: "./app.sh" })).message).toContain("not a file that may be executed");
  });

  test("fails for a program that does not end, and kills it", async () => {
    const { outcome, message } = await shell("echo begun; sleep 3600", { timeout_seconds: 2 });
    expect(outcome).toBe("fail");
    expect(message).toMatch(/did not end within 2 s; it wrote "begun"$/);
  });

  test("ends its program when the suite is interrupted", async () => {
    const abort = new AbortController();
    const marker = join(folder, "marker");
    const config = { command: ["sh", "-c", `echo x > ${marker}; sleep 3600`] };
    const bound = findCheck("command")?.bind(config);
    const running = bound?.({ ...subject(given(workspace)), signal: abort.signal });
    await expect.poll(() => existing(marker)).toBe(true);
    abort.abort(new Error("interrupted"));
    expect((await running)?.outcome).toBe("unevaluated");
  });

  test.each<[object, string]>([
    [{ command: "" }, "empty"],
    [{ command: [] }, "empty"],
    [{ command: "a 'b" }, "unclosed single quote"],
    [{ command: "a", env: { "A=B": "x" } }, "no name of a variable"],
    [{ command: "a", exit_code: [] }, "exit_code"],
    [{ command: "a", stdout: {} }, "give one of"],
    [{ command: "a", stdout: { regex: "(" } }, "regular expression"],
    [{ command: "a", stdout: { json_path: { path: "$.a" } } }, "exactly one of"],
    [{ command: "a", timeout_seconds: 0 }, "timeout_seconds"],
    [{}, "command"],
  ])("refuses %j", (config, reason) => {
    expect(() => judge(config)).toThrow(reason);
  });
});

describe.each(["custom_command", "code_exec"])("%s", (type) => {
  const run = (script: string, more: object = {}): Promise<Verdict> =>
    judge({ command: `sh -c ${JSON.stringify(script)}`, ...more }, type);

  test.each<[string, object, string, number | undefined]>([
    ["true", {}, "pass", undefined],
    ["exit 2", {}, "fail", 0],
    ["exit 2", { expect_zero: false }, "pass", undefined],
    ["echo 3 of 4", { pattern: String.raw`(?P<passed>\d+) of (?P<total>\d+)` }, "fail", 0.75],
    ["echo 3 of 4", { pattern: String.raw`(?<passed>\d+) of (?<total>\d+)`, threshold: 0.7 }, "pass", 0.75],
    [
      "echo ok 3 bad 1",
      { pattern: String.raw`ok (?P<passed>\d+) bad (?P<failed>\d+)`, threshold: 0.8 },
      "fail",
      0.75,
    ],
    ["echo ALL GOOD >&2", { success_pattern: "GOOD$" }, "fail", 0],
    ["echo ALL GOOD >&2", { success_pattern: "(?m)GOOD$" }, "pass", 1],
    ["echo nothing", { pattern: String.raw`(?P<passed>\d+)`, success_pattern: "ok" }, "fail", 0],
  ])("of %s with %j is %s with the score %s", async (script, config, outcome, score) => {
    const verdict = await run(script, config);
    expect({ outcome: verdict.outcome, score: verdict.score }).toEqual({ outcome, score });
  });

  test("refuses containers and paths out of the workspace", () => {
    expect(() => run("true", { container: true })).toThrow("container");
    expect(() => run("true", { image: "python" })).toThrow("container");
    expect(() => run("true", { working_dir: "/tmp" })).toThrow("leads out");
    expect(() => run("true", { pattern: "(" })).toThrow("regular expression");
  });
});

function existing(file: string): boolean {
  try {
    return readFileSync(file, "utf8") !== "";
  } catch {
    return false;
  }
}
