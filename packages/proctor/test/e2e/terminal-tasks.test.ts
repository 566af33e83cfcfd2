// `proctor tasks`, with the built program, real environments and real agents.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lacksBwrap } from "../support/bwrap.ts";
import { eventually } from "../support/eventually.ts";
import { startProgram, type Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { shareEnvironments } from "../support/share-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const HELLO = new URL("../../../../examples/terminal-tasks/hello", import.meta.url).pathname;
const root = temporaryFolder("terminal-tasks");

/** A folder of one task, `hello`, and whatever else a test puts beside it. */
function folderOf(name: string, files: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, name);
  cpSync(HELLO, join(folder, "tasks/hello"), { recursive: true });
  shareEnvironments(join(folder, ".proctor"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const proctor = (folder: string, ...words: string[]): Promise<Ended> =>
  runCommand(["tasks", ...words], { folder });
const run = (folder: string, agent: string, ...words: string[]): Promise<Ended> =>
  proctor(folder, "run", "tasks", "--agent", agent, "--output", "job", ...words);
const json = (folder: string, ...path: string[]) => JSON.parse(readFileSync(join(folder, ...path), "utf8"));
const trial = (folder: string): string => readdirSync(join(folder, "job"))[0] ?? "";

/** An agent that types these commands, and then says that it is done. */
const typist = (...commands: string[]): string => `
import { createInterface } from "node:readline";
const commands = ${JSON.stringify(commands)};
for await (const line of createInterface({ input: process.stdin })) {
  const { step } = JSON.parse(line);
  const command = commands[step - 1] ?? null;
  console.log(JSON.stringify({ command, task_complete: command === null }));
  if (command === null) break;
}
`;

/** For how long the programs sleep that a test must not leave behind: nobody else's sleep so long. */
const LONG_SECONDS = 1_000_000 + process.pid;

function sleepers(): number {
  return readdirSync("/proc").filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(`sleep\u0000${LONG_SECONDS}\u0000`)
      );
    } catch {
      return false;
    }
  }).length;
}

/** Groups of environments, wherever they are. */
function groups(): string[] {
  return filesBelow("/sys/fs/cgroup").filter((path) =>
    /\/proctor-[^/]*-(?:terminal|verifier|agent)$/.test(path),
  );
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String);
  } catch {
    return [];
  }
}

const AGENT = "term+stdio:node agent.mjs";
const SOLVE = `printf 'Hello, world!' > hello.txt`;

describe.skipIf(lacksBwrap("terminal tasks"))("proctor tasks", () => {
  it("run gives the reward to the solution, and none for doing nothing", async () => {
    const folder = folderOf("both");
    expect(await run(folder, "oracle")).toMatchObject({ code: 0 });
    expect(await run(folder, "nop")).toMatchObject({ code: 1 });
  });

  it("run writes for each trial what was asked, what came of it, and how it went", async () => {
    const folder = folderOf("files", { "agent.mjs": typist("ls -a", SOLVE) });
    const ended = await run(folder, AGENT);
    expect(ended).toMatchObject({ code: 0 });
    const name = trial(folder);
    expect(name).toMatch(/^hello__.*__1$/);
    expect(json(folder, "job", name, "result.json")).toMatchObject({
      outcome: "pass",
      agent_status: "completed",
      rewards: { reward: 1 },
      isolated: true,
      environments: [{ kind: "bwrap", role: "terminal", network: "none" }],
      phases: { agent_ms: expect.any(Number), verifier_ms: expect.any(Number) },
    });
    const { steps } = json(folder, "job", name, "trajectory.json");
    expect(steps.map(({ step_id }: { step_id: number }) => step_id)).toEqual([1, 2, 3]);
    expect(steps[2]).toMatchObject({
      source: "agent",
      tool_calls: [{ arguments: { command: SOLVE } }],
      observation: { results: [{ source_call_id: "step-2" }] },
    });
    const [header = ""] = readFileSync(join(folder, "job", name, "recording.cast"), "utf8").split("\n");
    expect(JSON.parse(header)).toMatchObject({ version: 2 });
    expect(json(folder, "job", name, "changes.json")).toContainEqual(
      expect.objectContaining({ path: "/app/hello.txt", change: "added", type: "file" }),
    );
  });

  it("run gives the terminal several users where the machine can, and one with --profile strict", async () => {
    const folder = folderOf("profile", {
      "agent.mjs": typist("useradd -m joe; chown joe /app; su joe -c 'id -un > /app/hello.txt'"),
      "tasks/hello/tests/test.sh":
        "grep -qx joe /app/hello.txt && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n",
    });
    const isRoot = process.getuid?.() === 0;
    const ended = await run(folder, AGENT);
    const [place] = json(folder, "job", trial(folder), "result.json").environments;
    expect(ended.code).toBe(isRoot ? 0 : 1);
    expect(place).toMatchObject({ profile: isRoot ? "multi-user" : "strict" });
    if (!isRoot) expect(ended.stdout).toContain("note  the profile is strict");
    expect(await run(folder, AGENT, "--profile", "strict")).toMatchObject({ code: 1 });
    expect(json(folder, "job", trial(folder), "result.json").environments).toMatchObject([
      { profile: "strict", notes: expect.not.arrayContaining([expect.stringContaining("one user")]) },
    ]);
  });

  it("run judges what is left even by an agent that crashed", async () => {
    const agent = typist(SOLVE).replace("?? null;", "?? null; if (step === 2) process.exit(7);");
    const folder = folderOf("broken", { "agent.mjs": agent });
    expect(await run(folder, AGENT)).toMatchObject({ code: 0 });
    expect(json(folder, "job", trial(folder), "result.json")).toMatchObject({
      agent_status: "failed",
      agent_failure: { code: "AGENT_CRASHED" },
      rewards: { reward: 1 },
    });
  });

  it("run lets the tests reach a server that the agent left running, and ends it afterwards", async () => {
    const folder = folderOf("server", {
      "agent.mjs": typist(
        "echo served > page.txt",
        "python3 -m http.server 8123 >/dev/null 2>&1 &",
        `until python3 -c 'import socket; socket.create_connection(("127.0.0.1", 8123))' 2>/dev/null; do sleep 0.1; done`,
      ),
      "tasks/hello/tests/test.sh": `
page=$(python3 -c 'import urllib.request; print(urllib.request.urlopen("http://127.0.0.1:8123/page.txt", timeout=5).read().decode())')
if [ "$page" = served ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`,
    });
    expect(await run(folder, AGENT)).toMatchObject({ code: 0 });
    const commands = readdirSync("/proc").filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("http.server\u00008123");
      } catch {
        return false;
      }
    });
    expect(commands).toEqual([]);
  });

  it("run gives no reward for anything that an agent leaves for the verifier", async () => {
    const commands = [
      "ls /tests /solution /oracle 2>&1",
      "mkdir -p /logs/verifier /tests && echo 1 > /logs/verifier/reward.txt",
      "echo 'echo 1 > /logs/verifier/reward.txt; exit 0' > /tests/test.sh",
      "mkdir -p /app/mine/verifier && echo 1 > /app/mine/verifier/reward.txt && rm -rf /logs && ln -s /app/mine /logs",
      "echo 'echo 1 > /logs/verifier/reward.txt' >> /root/.bashrc; cp /root/.bashrc /root/.profile; export BASH_ENV=/root/.bashrc PATH=/root/bin:$PATH",
      "mkdir -p /root/bin && printf '#!/bin/sh\\necho Hello, world!\\n' > /root/bin/cat && chmod +x /root/bin/cat",
      "(while :; do echo 1 > /logs/verifier/reward.txt; sleep 0.01; done) >/dev/null 2>&1 &",
    ];
    const folder = folderOf("cheat", { "agent.mjs": typist(...commands) });
    expect(await run(folder, AGENT)).toMatchObject({ code: 1 });
    const name = trial(folder);
    expect(json(folder, "job", name, "result.json")).toMatchObject({
      rewards: { reward: 0 },
      outcome: "fail",
    });
    const { steps } = json(folder, "job", name, "trajectory.json");
    expect(steps[1].observation.results[0].content).not.toMatch(/test\.sh|solve\.sh/);
  });

  it("run --attempts reports pass_at_k over several trials", async () => {
    const folder = folderOf("attempts");
    const ended = await run(folder, "oracle", "--attempts", "2", "--json");
    const report = JSON.parse(ended.stdout);
    expect(ended.code).toBe(0);
    expect(readdirSync(join(folder, "job"))).toHaveLength(2);
    expect(JSON.stringify(report)).toContain("pass_at_k");
  });

  it("run --env gives the agent's program the variable, and keeps its value nowhere", async () => {
    const key = "sk-e2e-0123456789abcdef";
    const agent = typist(SOLVE).replace(
      "commands[step - 1]",
      `process.env.API_KEY === "${key}" && commands[step - 1]`,
    );
    const folder = folderOf("env", { "agent.mjs": agent.replace("?? null", "|| null") });
    const words = ["tasks", "run", "tasks", "--agent", AGENT, "--output", "job"];
    const given = await runCommand([...words, "--env", "API_KEY"], { folder, env: { API_KEY: key } });
    expect(given).toMatchObject({ code: 0 });
    const kept = [".proctor", "job"].flatMap((name) =>
      readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")),
    );
    expect(kept.join("\n")).not.toContain(key);

    const unset = await run(folder, AGENT, "--env", "API_KEY");
    expect(unset.code).toBe(2);
    expect(unset.stderr).toContain("API_KEY");
  });

  it("run --command-seconds ends a command that takes longer, and the agent goes on", async () => {
    const folder = folderOf("command-seconds", { "agent.mjs": typist("sleep 1000", SOLVE) });
    expect(await run(folder, AGENT, "--command-seconds", "5")).toMatchObject({ code: 0 });
    const { steps } = json(folder, "job", trial(folder), "trajectory.json");
    expect(steps.slice(1)).toMatchObject([
      { tool_calls: [{ arguments: { command: "sleep 1000" } }] },
      { tool_calls: [{ arguments: { command: SOLVE } }] },
    ]);
  });

  it("and proctor run --command-seconds record exit code 124 for a command that took longer", async () => {
    const folder = folderOf("run-command-seconds", { "agent.mjs": typist("sleep 1000") });
    const words = ["run", "--agent", AGENT, "--task", "wait", "--command-seconds", "1"];
    expect(await runCommand(words, { folder })).toMatchObject({ code: 0 });
    const { stdout } = await runCommand(["runs", "events", "last", "--json"], { folder });
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const calls = events.filter(({ type }) => type === "tool_call");
    expect(calls).toMatchObject([
      { payload: { input: { command: "sleep 1000" }, output: { exit_code: 124 } } },
    ]);
  });

  it("run --resume goes on after a kill with what was not done", async () => {
    const folder = folderOf("resume", {
      "agent.mjs": typist(SOLVE, "sleep 2"),
    });
    cpSync(HELLO, join(folder, "tasks/second"), { recursive: true });
    const words = ["tasks", "run", "tasks", "--agent", AGENT, "-n", "1", "--output", "job"];
    const program = startProgram(words, { folder });
    const results = (): string[] =>
      filesBelow(join(folder, "job")).filter((path) => path.endsWith("__1/result.json"));
    await eventually(() => expect(results()).toHaveLength(1));
    program.child.kill("SIGKILL");
    await program.ended;
    const [first = ""] = results().map((path) => join(folder, "job", path));
    const { run_id: before } = JSON.parse(readFileSync(first, "utf8"));
    expect(await runCommand([...words, "--resume"], { folder })).toMatchObject({ code: 0 });
    expect(results()).toHaveLength(2);
    expect(JSON.parse(readFileSync(first, "utf8"))).toMatchObject({ run_id: before });
  });

  it("run leaves nothing behind, even when it is killed in the middle", async () => {
    const folder = folderOf("leftovers", {
      "agent.mjs": typist(
        `sleep ${LONG_SECONDS} & setsid sleep ${LONG_SECONDS} & true`,
        `sleep ${LONG_SECONDS}`,
      ),
    });
    const program = startProgram(["tasks", "run", "tasks", "--agent", AGENT, "-k", "2", "--output", "job"], {
      folder,
    });
    // More than one trial has: both are in the middle.
    await expect.poll(() => sleepers()).toBeGreaterThan(3);
    program.child.kill("SIGKILL");
    await program.ended;
    await expect.poll(() => sleepers()).toBe(0);
    expect(readFileSync("/proc/mounts", "utf8")).not.toContain(folder);
    // The next one clears away what only it can know of.
    expect(await run(folder, "oracle")).toMatchObject({ code: 0 });
    // Other tests have groups of their own meanwhile.
    const { items } = JSON.parse((await runCommand(["runs", "list", "--json"], { folder })).stdout);
    const ids: string[] = items.map(({ id }: { id: string }) => id);
    expect(ids.length).toBeGreaterThan(2);
    expect(groups().filter((group) => ids.some((id) => group.includes(id)))).toEqual([]);
    // Environments are named after their run. What they were built from is kept, whatever names it has.
    const ofRuns = /\/[0-9a-f-]{36}-terminal(\/|$)/;
    expect(filesBelow(join(folder, ".proctor/environments")).filter((path) => ofRuns.test(path))).toEqual([]);
  });

  it("run works through a hub that holds the data directory, which lists its runs", async () => {
    const folder = folderOf("hub");
    const hub = startProgram(["up", "--port", "0", "--log", "silent"], { folder });
    await hub.printed(/hub +(http\S+)/);
    expect(await run(folder, "oracle")).toMatchObject({ code: 0 });
    const listed = await runCommand(["runs", "list", "--json"], { folder });
    expect(JSON.parse(listed.stdout).items).toMatchObject([
      { agent: "term+builtin:oracle", status: "completed" },
    ]);
    hub.child.kill("SIGTERM");
    expect(await hub.ended).toMatchObject({ code: 0 });
  });

  it("regrade judges the same trials by changed tests, without calling an agent", async () => {
    const folder = folderOf("regrade", { "agent.mjs": typist(SOLVE) });
    expect(await run(folder, AGENT)).toMatchObject({ code: 0 });
    writeFileSync(join(folder, "agent.mjs"), "process.exit(1)");
    writeFileSync(join(folder, "tasks/hello/tests/test.sh"), "echo 0.5 > /logs/verifier/reward.txt\n");
    const ended = await proctor(folder, "regrade", "tasks", "--agent", AGENT, "--output", "again");
    expect(ended).toMatchObject({ code: 1 });
    expect(json(folder, "again", readdirSync(join(folder, "again"))[0] ?? "", "result.json")).toMatchObject({
      rewards: { reward: 0.5 },
      source: "rescored",
    });
  });

  it("fork lets another agent go on from a step, and judges it", async () => {
    const folder = folderOf("fork", {
      "agent.mjs": typist("echo one > one.txt", "rm one.txt; echo two > two.txt"),
      "other.mjs": typist("test -e one.txt && test ! -e two.txt && printf 'Hello, world!' > hello.txt"),
    });
    expect(await run(folder, AGENT, "--snapshots", "each")).toMatchObject({ code: 1 });
    const { run_id: id } = json(folder, "job", trial(folder), "result.json");
    const ended = await proctor(folder, "fork", id, "--step", "1", "--agent", "term+stdio:node other.mjs");
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain("reward 1");
    const missing = await proctor(folder, "fork", id, "--step", "9", "--agent", "term+builtin:nop");
    expect(missing.stdout + missing.stderr).toContain("no snapshot of step 9");
  });

  it("check says that a task is sound, or why it is not", async () => {
    const folder = folderOf("check");
    expect(await proctor(folder, "check", "tasks", "--runs", "1")).toMatchObject({ code: 0 });
    writeFileSync(
      join(folder, "tasks/hello/tests/test.sh"),
      "echo 1 > /logs/verifier/reward.txt # whatever it is\n",
    );
    cpSync(join(folder, "tasks/hello/tests/test.sh"), join(folder, "tasks/hello/environment/seen.sh"));
    const ended = await proctor(folder, "check", "tasks", "--runs", "2", "--json");
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout).items[0]).toMatchObject({
      verdict: "unsound",
      nop: { passed: 2, runs: 2 },
      problems: [
        "doing nothing passed 2 of 2 times",
        "environment/seen.sh: the environment holds tests/test.sh",
      ],
    });
  });

  it("run and list --plan name the line of a Dockerfile that cannot be built", async () => {
    const folder = folderOf("refused", {
      "tasks/hello/environment/Dockerfile": "FROM debian:12\nRUN apt-get install -y no-such-package-here\n",
    });
    const ended = await run(folder, "oracle");
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain("Dockerfile:2");
    expect(ended.stdout).toContain("no-such-package-here");
    const planned = await proctor(folder, "list", "tasks", "--plan");
    expect(planned.code).toBe(2);
    expect(planned.stdout).toContain("hello  Dockerfile:2");
    expect(planned.stdout).toContain(
      "0 tasks, 1 cannot be run here\napt-get install no-such-package-here  # needed by 1 task\n",
    );
  });

  it("run --skip-unsupported counts a task that cannot be run, and runs the others", async () => {
    const folder = folderOf("skip", { "tasks/deep/er/gpu/task.toml": "[environment]\ngpus = 1\n" });
    const stopped = await run(folder, "oracle");
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toContain("--skip-unsupported");
    const ended = await run(folder, "oracle", "--skip-unsupported");
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("skipped  gpu: tasks/deep/er/gpu/task.toml:2:1");
    expect(ended.stdout).toContain("1 passed, 0 failed, 0 unevaluated, 1 skipped");
  });
});

it("proctor tasks list shows tasks, and what is wrong with others", async () => {
  const folder = folderOf("list", { "tasks/broken/task.toml": "[agent]\ntimeout_sec = 'x'\n" });
  const ended = await proctor(folder, "list", "tasks");
  expect(ended.code).toBe(2);
  expect(ended.stdout).toContain("hello");
  expect(ended.stdout).toContain("tasks/broken/task.toml:2:1");
});

it("proctor tasks list tells two tasks of one name apart, and says what was not searched", async () => {
  const folder = folderOf("twins");
  cpSync(HELLO, join(folder, "tasks/other/hello"), { recursive: true });
  symlinkSync("..", join(folder, "tasks/other/up"));
  const { stdout } = await proctor(folder, "list", "tasks", "--json");
  const { items, skipped } = JSON.parse(stdout);
  expect(items.map(({ name }: { name: string }) => name)).toEqual(["tasks/hello", "tasks/other/hello"]);
  expect(skipped).toEqual([
    { shown: "tasks/other/up", reason: expect.stringContaining("same directory as tasks") },
  ]);
});
