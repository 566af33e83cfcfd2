// `proctor run`: one task on one agent, live.
import type { Command } from "commander";
import { RUN_FLAGS } from "../actions/run/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineRun(program: Command, execute: Execute): void {
  defineCommand(program, execute, {
    name: "run",
    summary: "run one task on one agent and watch it",
    description: "Run one task on one agent and watch it live.",
    flags: RUN_FLAGS,
    examples: [
      'proctor run --agent "atp+stdio:python agent.py" --task "Summarise README.md"',
      'proctor run --agent writer --task "Write a haiku" --timeout 60 --budget 0.05',
      'proctor run --agent writer --task "Review" --input data.json --env API_KEY',
      'proctor run --agent writer --task "Find rivals" --tools tools.yaml --strict',
      'proctor run -a "term+stdio:agent.py" -t "Create hello.txt"',
      'proctor run -a helper -t "Book a table" --answer "For two" --policy permission=deny',
      'proctor run --continue last --task "Now in French"',
      `echo '{"n": [1, 2]}' | proctor run -a writer -t "Add up" --input - --json`,
    ],
    note: `A program given by address runs in the current directory. When the agent asks
something, a terminal asks you; in a pipe nobody is asked. Ctrl-C cancels the
run and waits for it to end. The exit code is 0 when the run completed, and 1
when it did not.`,
    action: async () => (await import("../actions/run/run-task.ts")).runTask,
  });
}
