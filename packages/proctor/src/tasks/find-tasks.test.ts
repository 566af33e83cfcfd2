// What a directory must hold to be a task, and what is said of one that does not.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { findTasks, readTask } from "./find-tasks.ts";
import { createTaskFolder, HELLO, type TaskFolder } from "../../test/support/tasks/task-folder.ts";
import type { TerminalTask } from "./terminal-task.ts";

let folder: TaskFolder;
afterEach(() => folder.remove());

async function read(files: Readonly<Record<string, string>>, name = "hello"): Promise<TerminalTask> {
  folder = createTaskFolder(files);
  const {
    tasks: [found],
  } = await findTasks(name, folder.path);
  return readTask(found ?? expect.fail("no task"));
}

const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(HELLO).filter(([path]) => path !== name));
const toml = (text: string): Record<string, string> => ({ ...HELLO, "hello/task.toml": text });

describe("a task of Harbor", () => {
  it("is read with its limits, its tests and its solution", async () => {
    const task = await read(HELLO);
    const dir = join(folder.path, "hello");
    expect(task).toMatchObject({
      name: "hello",
      dir,
      format: "harbor",
      instruction: "Write hello into /app/hello.txt.\n",
      environment: {
        build: join(dir, "environment"),
        limits: { memory_mb: 1024, disk_mb: 512, cpus: 1 },
        build_timeout_seconds: 120,
      },
      timeoutSeconds: 60,
      verifier: {
        files: [{ source: join(dir, "tests"), target: "/tests" }],
        command: ["bash", "/tests/test.sh"],
        timeoutSeconds: 30,
        reward: "files",
      },
      solution: {
        files: [{ source: join(dir, "solution"), target: "/solution" }],
        commands: ["bash /solution/solve.sh"],
      },
      tags: ["files"],
      metadata: { difficulty: "easy" },
    });
  });

  it("may leave out the solution and nearly all of task.toml", async () => {
    const task = await read({ ...without("hello/solution/solve.sh"), "hello/task.toml": "" });
    expect(task.solution).toBeUndefined();
    expect(task.timeoutSeconds).toBe(600);
  });

  it("passes the variables of its solution and its tests on, whatever is in them", async () => {
    const task = await read(toml(`[solution.env]\nWHO = "it's me"\n[verifier.env]\nKEY = "\${KEY}"\n`));
    expect(task.solution?.commands).toEqual([String.raw`WHO='it'\''s me' bash /solution/solve.sh`]);
    expect(task.verifier.env).toEqual({ KEY: "${KEY}" });
  });

  it("has a network only as a list of hosts: everything else is granted by whoever runs it", async () => {
    const listed = await read(
      toml(`[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["example.com"]\n`),
    );
    expect(listed.environment).toMatchObject({ network: "allow-list", allow_hosts: ["example.com"] });
    folder.remove();
    const open = await read(toml(`[environment]\nnetwork_mode = "public"\n`));
    expect(open.environment).not.toHaveProperty("network");
  });

  it("may have a verifier of its own, which gets what is named and nothing else", async () => {
    const task = await read({
      ...toml(`artifacts = ["/tmp/a", { source = "/tmp/b" }]\n[verifier]\nenvironment_mode = "separate"\n`),
      "hello/tests/Dockerfile": "FROM debian:12\n",
    });
    const build = join(folder.path, "hello/tests");
    expect(task.verifier.separate).toEqual({ build, artifacts: ["/tmp/a", "/tmp/b"] });
  });

  it("has a verifier of its own when it says what that verifier's environment is like", async () => {
    const own = "[verifier.environment]\ncpus = 1\nmemory_mb = 512\n";
    const limits = { cpus: 1, memory_mb: 512 };
    expect((await read(toml(own))).verifier.separate).toEqual({ artifacts: [], limits });
    folder.remove();
    const shared = await read(toml(`[verifier]\nenvironment_mode = "shared"\n${own}`));
    expect(shared.verifier.separate).toBeUndefined();
  });

  it("gives a verifier of its own the variables and the directory of its environment", async () => {
    const own = `[verifier]\nenv = { A = "1" }\n[verifier.environment]\nworkdir = "/judge"\nenv = { A = "0", B = "2" }\n`;
    expect((await read(toml(own))).verifier).toMatchObject({ env: { A: "1", B: "2" }, workdir: "/judge" });
    folder.remove();
    const shared = await read(toml(own.replace("[verifier]\n", `[verifier]\nenvironment_mode = "shared"\n`)));
    expect(shared.verifier).toMatchObject({ env: { A: "1" } });
    expect(shared.verifier).not.toHaveProperty("workdir");
  });

  it("is refused for having several steps, and for nothing that its steps would have", async () => {
    const steps = "hello/steps/one/";
    const { message } = await read({
      "hello/task.toml": `[[steps]]\nname = "one"\n`,
      [`${steps}instruction.md`]: "",
      [`${steps}tests/test.sh`]: "",
    }).then(
      () => expect.fail("it was read"),
      (problem: unknown) => problem as Error,
    );
    expect(message).toMatch(/^hello\/task.toml:1:1 {2}tasks of several steps are not supported\n {3}[^\n]*$/);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ["bad TOML, with its line", toml("[agent]\ntimeout_sec = = 3\n"), ["hello/task.toml:2:"]],
    [
      "an unknown key",
      toml("[agent]\ntimeout_secs = 3\n"),
      ["hello/task.toml:2:1", "timeout_secs", "timeout_sec"],
    ],
    ["a wrong type", toml(`[environment]\ncpus = "two"\n`), ["hello/task.toml:2:1", "cpus"]],
    ["a wrong size", toml(`[environment]\nmemory = "much"\n`), ["hello/task.toml:2:1", '"2G"']],
    ["a GPU", toml("[environment]\ngpus = 1\n"), ["hello/task.toml:2:1", "GPU"]],
    [
      "an image of the verifier's own",
      toml(`[verifier.environment]\ndocker_image = "debian:12"\n`),
      ["hello/task.toml:2:1", "image of the verifier's own"],
    ],
    ["several steps", toml(`[[steps]]\nname = "one"\n`), ["hello/task.toml:1:1", "several steps"]],
    ["Windows", toml(`[environment]\nos = "windows"\n`), ["hello/task.toml:2:1", "only linux"]],
    [
      "variables of this machine",
      toml(`[environment.env]\nA = "\${HOME}"\n`),
      ["hello/task.toml:2:1", "${HOME}"],
    ],
    ["a missing instruction", without("hello/instruction.md"), ["hello/instruction.md:1:1"]],
    ["missing tests", without("hello/tests/test.sh"), ["hello/tests:1:1", "tests/test.sh"]],
    [
      "a missing environment",
      without("hello/environment/Dockerfile"),
      ["hello/environment:1:1", "docker_image"],
    ],
    [
      "several containers",
      { ...HELLO, "hello/environment/docker-compose.yaml": "services: {}" },
      ["several containers"],
    ],
  ])("is refused with %s", async (_, files, said) => {
    const error = await read(files).catch((problem: unknown) => problem);
    expect(error).toMatchObject({ code: "TASK_INVALID" });
    for (const text of said) expect((error as Error).message).toContain(text);
  });

  it("says everything that is wrong at once", async () => {
    const files = { ...without("hello/instruction.md"), "hello/task.toml": "[environment]\ngpus = 2\n" };
    const { message } = await read(files).then(
      () => expect.fail("it was read"),
      (problem: unknown) => problem as Error,
    );
    expect(message.split("\n")).toHaveLength(2);
  });
});

const BENCH: Readonly<Record<string, string>> = {
  "old/task.yaml": `instruction: |-
  Write hello.
difficulty: easy
parser_name: pytest
max_agent_timeout_sec: 100
max_test_timeout_sec: 20
tags: [a]
`,
  "old/Dockerfile": "FROM debian:12\n",
  "old/docker-compose.yaml": "services:\n  client:\n    build: .\n",
  "old/run-tests.sh": "pytest $TEST_DIR\n",
  "old/tests/test_outputs.py": "",
  "old/solution.sh": "echo hello\n",
};

describe("a task of Terminal-Bench", () => {
  it("is read with its limits, its tests and its solution", async () => {
    const task = await read(BENCH, "old");
    const dir = join(folder.path, "old");
    expect(task).toMatchObject({
      format: "terminal-bench",
      instruction: "Write hello.",
      environment: { build: dir },
      timeoutSeconds: 100,
      verifier: {
        files: [
          { source: join(dir, "tests"), target: "/tests" },
          { source: join(dir, "run-tests.sh"), target: "/tests/run-tests.sh" },
        ],
        env: { TEST_DIR: "/tests" },
        timeoutSeconds: 20,
        reward: "pytest",
      },
      solution: { commands: ["bash /oracle/solution.sh"] },
      tags: ["a"],
    });
  });

  it("may leave out run-tests.sh, and have its solution as a list of commands", async () => {
    const { "old/run-tests.sh": _, "old/solution.sh": __, ...files } = BENCH;
    const typed = "- command: echo hello > a\n  min_timeout_sec: 1\n- command: cat a\n  block: true\n";
    const task = await read({ ...files, "old/solution.yaml": typed }, "old");
    expect(task.verifier).toMatchObject({
      files: [{ source: join(task.dir, "tests"), target: "/tests" }],
      command: ["bash", "-c", "pytest -rA /tests"],
    });
    expect(task.solution).toEqual({ files: [], commands: ["echo hello > a", "cat a"] });
    folder.remove();
    const keys = "- command: C-c\n  append_enter: false\n";
    expect((await read({ ...files, "old/solution.yaml": keys }, "old")).solution).toBeUndefined();
    folder.remove();
    const { "old/tests/test_outputs.py": ___, ...nothing } = files;
    await expect(read(nothing, "old")).rejects.toThrow("neither run-tests.sh nor tests/");
  });

  it.each<[string, Record<string, string>, string]>([
    ["an unknown key", { "old/task.yaml": "instruction: x\nparser: pytest\n" }, "old/task.yaml:2:1"],
    ["another parser", { "old/task.yaml": "instruction: x\nparser_name: swebench\n" }, "old/task.yaml:2:14"],
    ["several containers", { "old/docker-compose.yaml": "services: {client: {}, db: {}}" }, "client, db"],
  ])("is refused with %s", async (_, files, said) => {
    await expect(read({ ...BENCH, ...files }, "old")).rejects.toThrow(said);
  });
});

describe("a directory of tasks", () => {
  it("gives all its tasks, sorted by name", async () => {
    folder = createTaskFolder({ ...HELLO, ...BENCH, "set/a/task.yaml": "", "notes/readme.md": "" });
    const { tasks } = await findTasks(".", folder.path);
    expect(tasks.map(({ shown, format }) => [shown, format])).toEqual([
      ["hello", "harbor"],
      ["old", "terminal-bench"],
      [join("set", "a"), "terminal-bench"],
    ]);
  });

  it("is searched at any depth, but not below a task, in hidden directories or in node_modules", async () => {
    const deep = "a/b/c/d/e/f/g/task";
    folder = createTaskFolder({
      [`${deep}/task.toml`]: "",
      [`${deep}/tests/inner/task.toml`]: "",
      ".git/task.toml": "",
      "a/node_modules/x/task.toml": "",
    });
    const { tasks, skipped } = await findTasks(".", folder.path);
    expect(tasks.map(({ shown }) => shown)).toEqual([deep]);
    expect(skipped).toEqual([]);
  });

  it("is searched through links, once, and says what it left out", async () => {
    folder = createTaskFolder({ "store/one/task.toml": "", "set/readme.md": "" });
    symlinkSync(join(folder.path, "store/one"), join(folder.path, "set/linked"));
    symlinkSync("..", join(folder.path, "set/up"));
    symlinkSync("nowhere", join(folder.path, "set/broken"));
    const { tasks, skipped } = await findTasks("set", folder.path);
    expect(tasks.map(({ shown }) => shown)).toEqual(["set/linked"]);
    expect(skipped).toEqual([
      { shown: "set/up/set", reason: "it is the same directory as set" },
      { shown: "set/up/store/one", reason: "it is the same directory as set/linked" },
    ]);
  });

  it("names what is too deep to be searched", async () => {
    const levels = Array.from({ length: 20 }, (_, index) => `l${index}`);
    folder = createTaskFolder({ [`${levels.join("/")}/task.toml`]: "" });
    const below = levels.slice(0, 17).join("/");
    await expect(findTasks(".", folder.path)).rejects.toThrow(
      `not searched: ${below}: it is more than 16 levels`,
    );
  });

  it("is refused when it holds no task, is not there, or is a file", async () => {
    folder = createTaskFolder({ "a/b.txt": "" });
    await expect(findTasks("a", folder.path)).rejects.toThrow("there is no task in it");
    await expect(findTasks("b", folder.path)).rejects.toThrow("is not there");
    await expect(findTasks("a/b.txt", folder.path)).rejects.toThrow("is no directory");
  });
});
