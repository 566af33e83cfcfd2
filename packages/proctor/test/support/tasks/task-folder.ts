// Directories of tasks, written for one test and removed after it.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface TaskFolder {
  path: string;
  write(files: Readonly<Record<string, string>>): void;
  remove(): void;
}

export function createTaskFolder(files: Readonly<Record<string, string>> = {}): TaskFolder {
  const path = mkdtempSync(join(tmpdir(), "proctor-tasks-"));
  function write(more: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
      if (name.endsWith(".sh")) chmodSync(join(path, name), 0o755);
    }
  }
  write(files);
  return { path, write, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The smallest task of Harbor that says something. */
export const HELLO: Readonly<Record<string, string>> = {
  "hello/task.toml": `version = "1.0"

[metadata]
difficulty = "easy"
tags = ["files"]

[agent]
timeout_sec = 60.0

[verifier]
timeout_sec = 30.0

[environment]
build_timeout_sec = 120.0
cpus = 1
memory = "1G"
storage = "512M"
`,
  "hello/instruction.md": "Write hello into /app/hello.txt.\n",
  "hello/environment/Dockerfile": "FROM debian:12\nWORKDIR /app\n",
  "hello/solution/solve.sh": "#!/bin/bash\necho hello > hello.txt\n",
  "hello/tests/test.sh": `#!/bin/bash
if [ "$(cat /app/hello.txt)" = hello ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`,
};
