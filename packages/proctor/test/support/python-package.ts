// A package of PyPI in a virtual environment of its own. It is kept for the next time: to install it takes longer than to use it.
import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface PythonPackage {
  /** The directory of the virtual environment. */
  venv: string;
  /** Undefined when it is there then; else the reason why it is not. */
  install(): Promise<string | undefined>;
}

/** `requirement` is its name and exact version: `name==1.2.3`. `others` are installed with it. */
export function pythonPackage(requirement: string, others: readonly string[] = []): PythonPackage {
  const cache = new URL("../../../../node_modules/.cache/", import.meta.url);
  const venv = fileURLToPath(new URL(requirement.replace("==", "-"), cache));
  return {
    venv,
    async install() {
      if (existsSync(venv)) return undefined;
      if (spawnSync("python3", ["--version"]).status !== 0) return "there is no python3 here";
      const fresh = `${venv}.${process.pid}`;
      try {
        await mkdir(join(venv, ".."), { recursive: true });
        await fill(fresh, [requirement, ...others]);
        await rename(fresh, venv);
        return undefined;
      } catch (error) {
        await rm(fresh, { recursive: true, force: true });
        const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
        return existsSync(venv) ? undefined : `${requirement} cannot be installed here: ${reason}`;
      }
    },
  };
}

/** With the machine's own pip where that can: to make a pip for every environment, and to compile all modules, costs more than the packages do. */
async function fill(venv: string, requirements: readonly string[]): Promise<void> {
  const install = ["install", "--quiet", "--retries", "1", "--timeout", "20", ...requirements];
  const limit = { timeout: 240_000 };
  const python = join(venv, "bin/python");
  try {
    await run("python3", ["-m", "venv", "--without-pip", venv]);
    await run("python3", ["-m", "pip", "--python", python, ...install, "--no-compile"], limit);
  } catch {
    // An older pip, or none.
    await run("python3", ["-m", "venv", "--clear", venv]);
    await run(python, ["-m", "pip", ...install], limit);
  }
}
