// A task directory of Terminal-Bench 1: task.yaml, Dockerfile, run-tests.sh, tests/, solution.sh.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse } from "yaml";
import type { EnvironmentFile } from "../../core/environment.ts";
import { loadPositioned } from "../../runtime/yaml/load-yaml.ts";
import { problemsError, type Problem } from "../../runtime/yaml/problem.ts";
import { exists } from "../../runtime/files/exists.ts";
import type { TestSolution } from "../../suites/suite.ts";
import type { TerminalTask } from "../terminal-task.ts";
import { taskFile, typedCommands } from "./task-file.ts";

/** The default limits of the Terminal-Bench harness. */
const AGENT_SECONDS = 360;
const TEST_SECONDS = 60;
/** Command for a task that has tests and no script. */
const PYTEST = ["bash", "-c", "pytest -rA /tests"];

/** Throws TASK_INVALID. */
export async function readTerminalBench(dir: string, shown: string): Promise<TerminalTask> {
  const { value, source } = await loadPositioned(join(dir, "task.yaml"), taskFile, {
    code: "TASK_INVALID",
    displayName: join(shown, "task.yaml"),
  });
  const problems = await missingFiles(dir, shown);
  const { parser_name: parser = "pytest" } = value;
  if (parser !== "pytest") {
    const message = `results of the kind ${JSON.stringify(parser)} cannot be read here: only pytest's`;
    problems.push({ file: source.file, ...source.valueAt(["parser_name"]), message });
  }
  if (problems.length > 0) throw problemsError("TASK_INVALID", problems);
  const { instruction, tags = [], ...rest } = value;
  const { max_agent_timeout_sec: agent, max_test_timeout_sec: tests, test_timeout_sec: other } = rest;
  const solution = await solutionOf(dir);
  return {
    name: basename(dir),
    dir,
    format: "terminal-bench",
    instruction,
    environment: { build: dir },
    terminal: {},
    timeoutSeconds: agent ?? AGENT_SECONDS,
    verifier: {
      files: await testFiles(dir),
      command: (await exists(join(dir, "run-tests.sh"))) ? ["bash", "/tests/run-tests.sh"] : PYTEST,
      env: { TEST_DIR: "/tests", T_BENCH_TEST_DIR: "/tests" },
      timeoutSeconds: tests ?? other ?? TEST_SECONDS,
      reward: "pytest",
    },
    ...(solution && { solution }),
    tags,
    metadata: {
      ...(rest.difficulty !== undefined && { difficulty: rest.difficulty }),
      ...(rest.category !== undefined && { category: rest.category }),
      ...(rest.author_name !== undefined && { author_name: rest.author_name }),
    },
  };
}

async function testFiles(dir: string): Promise<EnvironmentFile[]> {
  const all = [
    { source: join(dir, "tests"), target: "/tests" },
    { source: join(dir, "run-tests.sh"), target: "/tests/run-tests.sh" },
  ];
  const there = await Promise.all(all.map(({ source }) => exists(source)));
  return all.filter((_, index) => there[index]);
}

async function solutionOf(dir: string): Promise<TestSolution | undefined> {
  const source = join(dir, "solution.sh");
  if (!(await exists(source))) return typedSolution(dir);
  return {
    files: [{ source, target: "/oracle/solution.sh" }],
    commands: ["bash /oracle/solution.sh"],
  };
}

/** Reads the list of commands. Undefined where one is typed without Enter, which no shell could run. */
async function typedSolution(dir: string): Promise<TestSolution | undefined> {
  const text = await readFile(join(dir, "solution.yaml"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const typed = typedCommands.safeParse(parseQuietly(text));
  return typed.success ? { files: [], commands: typed.data.map(({ command }) => command) } : undefined;
}

async function missingFiles(dir: string, shown: string): Promise<Problem[]> {
  const problems: Problem[] = [];
  const at = (name: string, message: string): void => {
    problems.push({ file: join(shown, name), line: 1, col: 1, message });
  };
  if (!(await exists(join(dir, "Dockerfile")))) at("Dockerfile", "there is no Dockerfile");
  if (!(await exists(join(dir, "run-tests.sh"))) && !(await exists(join(dir, "tests"))))
    at("run-tests.sh", "there is neither run-tests.sh nor tests/: what judges the agent's work");
  const compose = join(dir, "docker-compose.yaml");
  if (await exists(compose)) {
    const services = Object.keys(servicesOf(await readFile(compose, "utf8")));
    if (services.length > 1)
      at("docker-compose.yaml", `several containers are not supported: ${services.join(", ")}`);
  }
  return problems;
}

function servicesOf(text: string): object {
  const value = parseQuietly(text);
  const services = typeof value === "object" && value !== null && "services" in value ? value.services : {};
  return typeof services === "object" && services !== null ? services : {};
}

/** Returns undefined for a text that is not YAML, because these files are not ours to judge. */
function parseQuietly(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
