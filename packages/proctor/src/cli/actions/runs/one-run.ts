// `proctor runs show` and `cancel`.
import { hubAction } from "../hub-action.ts";
import { renderAnswers } from "../../terminal/answer-lines.ts";
import { renderRunDetails } from "../../terminal/run-details.ts";
import { findRun } from "./find-run.ts";
import { readAnswers } from "../run/read-answers.ts";
import { isTerminal } from "../../../core/run.ts";
import type { DocumentFlags } from "../../flags.ts";

export const showRun = hubAction("read", async ({ hub, screen }, reference: string, flags: DocumentFlags) => {
  const run = await findRun(hub, reference);
  if (flags.json === true) return screen.printJson(run);
  const { paint, width } = screen;
  const answers = await readAnswers(run, hub);
  screen.print(
    ...renderRunDetails(run, paint, Date.now(), width),
    ...renderAnswers(run.id, answers, paint, width),
  );
});

export const cancelRun = hubAction(
  "write",
  async ({ hub, screen }, reference: string, flags: DocumentFlags) => {
    const { id } = await findRun(hub, reference);
    const run = await hub.cancel(id, "cancelled at the command line");
    if (flags.json === true) screen.printJson(run);
    else if (isTerminal(run.status)) screen.print(`${screen.paint.yellow("■")} ${id} is cancelled`);
    else
      screen.print(
        `${screen.paint.yellow("■")} ${id} is being cancelled`,
        `   watch: proctor runs events ${id} --follow`,
      );
  },
);
