// Starts the joined program with the commands that people use most, so that what V8 compiled for them is kept beside it. Part of
// `npm run build`, after the program was joined.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "proctor-build-"));

const SUITE = `
test_suite: build
agents: [{ name: echo, address: "text+stdio:cat" }]
tests:
  - id: echo
    name: Repeats what it is told
    task: { description: Hello }
    assertions: [{ type: contains, config: { pattern: Hello } }]
`;

try {
  await run("run", "--agent", "text+stdio:cat", "--task", "Hello");
  await run("runs", "show", "last");
  writeFileSync(join(folder, "suite.yaml"), SUITE);
  await run("test", "suite.yaml", "--reporter", "html=report.html");
  await run("up");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a command; a hub gets one request from here and one from a command, and is stopped. Fails when the command fails, so that the build does too. */
async function run(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [join(root, "packages/proctor/bin/proctor.js"), ...args], {
    cwd: folder,
    env: { ...process.env, PROCTOR_KEEP_CODE: "1", API_PORT: "0", PROCTOR_URL: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  let isAsked = false;
  const take = (text: string): void => {
    printed += text;
    const [address] = args[0] === "up" ? (/http:\/\/[\d.]+:\d+/.exec(printed) ?? []) : [];
    if (address === undefined || isAsked) return;
    isAsked = true;
    void ask(address).finally(() => child.kill("SIGTERM"));
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`proctor ${args.join(" ")} has failed:\n${printed}`);
}

async function ask(hub: string): Promise<void> {
  await fetch(`${hub}/runs`);
  await run("runs", "list");
}
