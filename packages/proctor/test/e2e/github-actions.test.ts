// Under GITHUB_ACTIONS nothing that an agent says is a workflow command, whichever command or reporter prints it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { runProgram, type Ended } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("github-actions");
const SAID = "first\n::stop-commands::deadbeef\n  ::add-mask::passed\n##[error]also";

const answer = (more: object): string =>
  JSON.stringify({
    version: "1.0",
    task_id: "TASK",
    ...more,
    artifacts: [{ type: "file", path: "said.txt", content_type: "text/plain", content: SAID }],
    metrics: {},
  });
const AGENT = `
said='${SAID}'
completed='${answer({ status: "completed" })}'
failed='${answer({ status: "failed", error: { code: "AGENT_FAILED", message: SAID } })}'
read -r request
printf '%s\\n' "$said" >&2
case $request in
  *'"Crash"'*) exit 1 ;;
  *'"Fail"'*) answer=$failed ;;
  *) answer=$completed ;;
esac
printf '%s%s%s\\n' "\${answer%TASK*}" "$PROCTOR_RUN_ID" "\${answer#*TASK}"
`;

const SUITE = `
test_suite: hostile
agents: [{ name: hostile, command: [sh, agent.sh] }]
tests:
  - { id: fails, name: Fails, task: { description: Fail }, assertions: [{ type: no_errors }] }
  - { id: crashes, name: Crashes, task: { description: Crash }, assertions: [{ type: no_errors }] }
  - { id: misses, name: Misses, task: { description: Answer }, assertions: [{ type: contains, config: { pattern: Goodbye } }] }
`;

beforeAll(() => {
  writeFileSync(join(folder, "agent.sh"), AGENT);
  writeFileSync(join(folder, "suite.yaml"), SUITE);
});

const proctor = (...args: string[]): Promise<Ended> =>
  runProgram(args, { folder, env: { GITHUB_ACTIONS: "true" } });

/** As the runner reads lines; see actions/runner, ActionCommand.cs. */
const commands = ({ stdout, stderr }: Ended): string[] =>
  `${stdout}\n${stderr}`
    .split(/[\n\r]/)
    .filter((line) => line.trimStart().startsWith("::") || line.includes("##["));

it.each(["console", "tap", "markdown", "jsonl", "json", "junit"])(
  "in GitHub Actions the reporter %s prints no workflow command",
  async (reporter) => {
    const ended = await proctor("test", "suite.yaml", "--reporter", reporter);

    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("stop-commands");
    expect(commands(ended)).toEqual([]);
    if (reporter === "json") expect(JSON.stringify(JSON.parse(ended.stdout))).toContain("##[error]also");
  },
);

it("in GitHub Actions proctor run, runs show, runs events and runs artifact print no workflow command", async () => {
  const failed = await proctor("run", "--agent", "atp+stdio:sh agent.sh", "--task", "Fail");
  const json = await proctor("run", "--agent", "atp+stdio:sh agent.sh", "--task", "Answer", "--json");
  const others = [
    await proctor("runs", "show", "last"),
    await proctor("runs", "events", "last"),
    await proctor("runs", "artifact", "last"),
  ];

  for (const ended of [failed, json, ...others]) expect(commands(ended)).toEqual([]);
  for (const ended of others) expect(ended.stdout).toContain("add-mask");
  expect(JSON.parse(json.stdout)).toMatchObject({ artifacts: [{ content: SAID }] });
});

it("in GitHub Actions only the annotations of the github reporter are workflow commands, and agents write none of them", async () => {
  const found = commands(await proctor("test", "suite.yaml", "--reporter", "github"));

  expect(found.length).toBeGreaterThan(2);
  for (const line of found) expect(line).toMatch(/^::error file=suite\.yaml,line=\d+,col=\d+,title=/);
});
