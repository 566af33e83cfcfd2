// What a Harbor task may ask for and we cannot give, and files that a task cannot be without. Said before anything runs, with the line.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Problem } from "../../runtime/yaml/problem.ts";
import { exists } from "../../runtime/files/exists.ts";
import { locateToml } from "../locate-toml.ts";
import type { TaskFile } from "./task-file.ts";

const TEMPLATE = /\$\{[A-Za-z_]\w*\}/;
const COMPOSE = ["docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml"];

export async function refusals(dir: string, shown: string, file: TaskFile): Promise<Problem[]> {
  const locate = locateToml(await readFile(join(dir, "task.toml"), "utf8"));
  const problems: Problem[] = [];
  const at = (path: readonly string[], message: string, hint?: string): void => {
    problems.push({
      file: join(shown, "task.toml"),
      ...locate(path),
      message,
      ...(hint !== undefined && { hint }),
    });
  };
  const missing = (name: string, message: string): void => {
    problems.push({ file: join(shown, name), line: 1, col: 1, message });
  };
  const has = (name: string): Promise<boolean> => exists(join(dir, name));

  const { environment = {}, verifier = {}, steps = [] } = file;
  if (steps.length > 0) {
    at(["steps"], "tasks of several steps are not supported", "split it into one task for each step");
    // Instructions and tests are with the steps, so nothing is reported about the files that only a task of one step has.
    return problems;
  }
  if ((environment.os ?? "linux").toLowerCase() !== "linux")
    at(["environment", "os"], `${environment.os} is not supported: only linux`);
  if ((environment.gpus ?? 0) > 0) at(["environment", "gpus"], "no environment here has a GPU");
  if (environment.tpu !== undefined) at(["environment", "tpu"], "no environment here has a TPU");
  if ((environment.mcp_servers ?? []).length > 0)
    at(["environment", "mcp_servers"], "MCP servers of a task are not supported");
  if (environment.healthcheck !== undefined)
    at(
      ["environment", "healthcheck"],
      "health checks are not supported: nothing runs in an environment before the agent does",
    );
  if (verifier.environment?.docker_image !== undefined)
    at(
      ["verifier", "environment", "docker_image"],
      "an image of the verifier's own is not supported: it works on the files that the agent left",
    );
  for (const [name, value] of Object.entries(environment.env ?? {})) {
    // Their values would be stored with the run.
    if (TEMPLATE.test(value))
      at(
        ["environment", "env", name],
        `${value} would be taken from this machine's environment, which stays outside`,
      );
  }
  if (!(await has("instruction.md")))
    missing("instruction.md", "there is no instruction.md: what the agent is asked to do");
  if (!(await has("tests/test.sh")))
    missing("tests", "there is no tests/test.sh: what judges the agent's work");
  const compose = (
    await Promise.all(COMPOSE.map(async (name) => ((await has(`environment/${name}`)) ? name : "")))
  ).find((name) => name !== "");
  if (compose !== undefined) missing(`environment/${compose}`, "several containers are not supported");
  if (environment.docker_image === undefined && !(await has("environment/Dockerfile"))) {
    missing("environment", "there is neither environment/Dockerfile nor a docker_image in task.toml");
  }
  return problems;
}
