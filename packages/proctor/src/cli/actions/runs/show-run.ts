// `proctor runs show`.
import type { RunFlags } from "../../commands/runs.ts";
import { withHub, type CommandContext } from "../../context.ts";
import { renderAnswers } from "../../terminal/answer-lines.ts";
import { renderRunDetails } from "../../terminal/run-details.ts";
import { createScreen } from "../../terminal/screen.ts";
import { findRun } from "./find-run.ts";
import { readAnswers } from "../run/read-answers.ts";

export function showRun(reference: string, flags: RunFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ hub }) => {
    const run = await findRun(hub, reference);
    const screen = createScreen(context.io);
    if (flags.json === true) {
      screen.printJson(run);
      return 0;
    }
    const { paint, width } = screen;
    const answers = await readAnswers(run, hub);
    screen.print(
      ...renderRunDetails(run, paint, Date.now(), width),
      ...renderAnswers(run.id, answers, paint, width),
    );
    return 0;
  });
}
