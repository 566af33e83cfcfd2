// Where a version manager puts a script in front of Python, as pyenv does, tests start the interpreter itself. There are hundreds of starts, and
// looking for the right version costs three times as much as the interpreter.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** Called by vitest before the first file; workers inherit the variable. */
export function setup(): void {
  const path = process.env["PATH"] ?? "";
  const python = path
    .split(delimiter)
    .map((folder) => join(folder, "python3"))
    .find((file) => existsSync(file));
  if (python === undefined || readFileSync(python, "latin1").slice(0, 2) !== "#!") return;
  const interpreter = execFileSync(python, ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  process.env["PATH"] = [dirname(interpreter.trim()), path].join(delimiter);
}
