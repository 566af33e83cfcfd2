// What a verifier trusts, with the built program: the agent's files however many, and of the system nothing that the agent changed.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { lacksBwrap } from "../support/bwrap.ts";
import type { Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { shareEnvironments } from "../support/share-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const HELLO = new URL("../../../../examples/terminal-tasks/hello", import.meta.url).pathname;
const folder = temporaryFolder("verifier-trust");

/** Believes whichever of its tools says that the file is there. */
const CREDULOUS = `
a=$(cat /app/hello.txt 2>/dev/null)
b=$(/usr/bin/python3 -c 'print(open("/app/hello.txt").read())' 2>/dev/null)
if [ "$a" = "Hello, world!" ] || [ "$b" = "Hello, world!" ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`;

const program = (path: string, text: string): string =>
  `rm -f ${path}; printf '#!/bin/dash\\n${text}\\n' > ${path}; chmod 755 ${path}`;
const SITE = `$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')`;
const SAY = "echo Hello, world!";
const SOLVE = "printf 'Hello, world!' > /app/hello.txt";

/** What an agent does that wants the reward for nothing, by the name of what it changes. */
const ATTACKS: Readonly<Record<string, string>> = {
  cat: program("/usr/bin/cat", SAY),
  python3: program("$(realpath /usr/bin/python3)", SAY),
  bash: program("/usr/bin/bash", "echo 1 > /logs/verifier/reward.txt"),
  preload: "echo /app/any.so > /etc/ld.so.preload",
  sitecustomize: `mkdir -p ${SITE}; echo 'import os; print("Hello, world!", flush=True); os._exit(0)' > ${SITE}/sitecustomize.py`,
  plugin: `mkdir -p ${SITE}/x-1.dist-info; printf '[pytest11]\\nx = x\\n' > ${SITE}/x-1.dist-info/entry_points.txt`,
};
const TASKS: Readonly<Record<string, string>> = {
  ...ATTACKS,
  large: `head -c 600M /dev/zero > /app/large; ${SOLVE}`,
  escape: "head -c 600M /dev/zero > /app/large; cd /; rm -rf /app /run",
  full: "head -c 300M /dev/zero > /app/large; true",
  opted: ATTACKS["cat"] ?? "",
};

/** A task whose solution does this. */
function writeTask(name: string, solution: string): void {
  const dir = join(folder, "tasks", name);
  cpSync(HELLO, dir, { recursive: true });
  const storage = name === "full" ? 'storage = "64M"' : 'storage = "1G"';
  const toml = readFileSync(join(HELLO, "task.toml"), "utf8").replace('storage = "256M"', storage);
  const verify = name === "opted" ? '[metadata]\nverify = "as-left"' : "[metadata]";
  writeFileSync(join(dir, "task.toml"), toml.replace("[metadata]", verify));
  writeFileSync(join(dir, "tests/test.sh"), CREDULOUS);
  writeFileSync(join(dir, "solution/solve.sh"), `${solution}\n`);
}

const run = (output: string, ...words: string[]): Promise<Ended> =>
  runCommand(["tasks", "run", "tasks", "--agent", "oracle", "-n", "2", "--output", output, ...words], {
    folder,
  });

function resultOf(job: string, task: string) {
  const trial = readdirSync(join(folder, job)).find((name) => name.startsWith(`${task}__`)) ?? "";
  return JSON.parse(readFileSync(join(folder, job, trial, "result.json"), "utf8"));
}

describe.skipIf(lacksBwrap("what a verifier trusts"))("the verifier of the built program", () => {
  let all: Ended;
  let regraded: Ended;
  beforeAll(async () => {
    shareEnvironments(join(folder, ".proctor"));
    for (const [name, solution] of Object.entries(TASKS)) writeTask(name, solution);
    all = await run("all");
    // The last trials are those of the run above.
    const words = ["tasks", "regrade", "tasks", "--agent", "oracle", "--only", "large"];
    regraded = await runCommand(words, { folder });
  });

  it.each(Object.keys(ATTACKS))("gives no reward for a changed %s, and says that it was put back", (name) => {
    const result = resultOf("all", name);
    expect(result).toMatchObject({ outcome: "fail", rewards: { reward: 0 } });
    expect(result.restored).toHaveLength(1);
    expect(all.stdout).toContain(result.restored[0]);
  });

  it("judges more files than a snapshot keeps, even when the agent wrote much or removed all", () => {
    expect(resultOf("all", "large")).toMatchObject({ outcome: "pass", rewards: { reward: 1 } });
    expect(resultOf("all", "escape")).toMatchObject({ outcome: "fail", rewards: { reward: 0 } });
  });

  it("judges an agent that used up its disk, and says so", () => {
    const result = resultOf("all", "full");
    expect(result).toMatchObject({ outcome: "fail", rewards: { reward: 0 } });
    expect(result.verifier_notes.join()).toContain("used up its disk (disk_mb: 64)");
  });

  it("takes the system as it was left where the task or the caller says so", async () => {
    expect(resultOf("all", "opted")).toMatchObject({ outcome: "pass" });
    await run("as-left", "--only", "cat", "--verify", "as-left");
    expect(resultOf("as-left", "cat")).toMatchObject({ outcome: "pass" });
  });

  it("judges without a snapshot", async () => {
    writeTask("solved", SOLVE);
    await run("kept-nothing", "--only", "solved", "--snapshots", "off");
    expect(resultOf("kept-nothing", "solved")).toMatchObject({ outcome: "pass" });
    expect(regraded.stdout).toContain("nothing is left to judge");
  });
});
