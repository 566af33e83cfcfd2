// `proctor runs`: what ran, how it went, talking to it, and stopping it.
import type { Command } from "commander";
import {
  LIST_RUNS_FLAGS,
  ONE_RUN_FLAGS,
  EVENTS_FLAGS,
  ARTIFACT_FLAGS,
  EXPORT_FLAGS,
  type ArtifactFlags,
  type EventsFlags,
  type ExportFlags,
  type ListRunsFlags,
  type OneRunFlags,
  ANSWER_FLAGS,
  MESSAGES_FLAGS,
  QUESTIONS_FLAGS,
  SAY_FLAGS,
  type AnswerFlags,
  type MessagesFlags,
  type QuestionsFlags,
  type SayFlags,
} from "../actions/runs/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { addFlags } from "../flags.ts";

const RUN = "id of the run, the beginning of it, or last";

export function defineRuns(program: Command, execute: Execute): void {
  const runs = program
    .command("runs")
    .summary("list, inspect, follow, talk to and cancel runs")
    .description(
      "List, inspect, follow, talk to and cancel runs. A run is named by its id, by the beginning of its id, or by `last`, the newest.",
    );
  defineList(runs, execute);
  defineShow(runs, execute);
  defineEvents(runs, execute);
  defineArtifact(runs, execute);
  defineMessages(runs, execute);
  defineSay(runs, execute);
  defineQuestions(runs, execute);
  defineAnswer(runs, execute);
  defineCancel(runs, execute);
  defineExport(runs, execute);
}

function defineList(runs: Command, execute: Execute): void {
  const command = runs
    .command("list")
    .summary("list runs, newest first")
    .description("List runs, newest first.");
  addFlags(command, LIST_RUNS_FLAGS)
    .addHelpText(
      "after",
      "\nExamples:\n  $ proctor runs list\n  $ proctor runs list --status failed timeout --agent writer --limit 20\n  $ proctor runs list --json",
    )
    .action((flags: ListRunsFlags) =>
      execute(async (context) => (await import("../actions/runs/list-runs.ts")).listRuns(flags, context)),
    );
}

function defineShow(runs: Command, execute: Execute): void {
  const command = runs
    .command("show")
    .summary("show everything about one run")
    .description("Show everything about one run.")
    .argument("<run>", RUN);
  addFlags(command, ONE_RUN_FLAGS)
    .addHelpText("after", "\nExamples:\n  $ proctor runs show last\n  $ proctor runs show 0190c3a4-… --json")
    .action((id: string, flags: OneRunFlags) =>
      execute(async (context) => (await import("../actions/runs/show-run.ts")).showRun(id, flags, context)),
    );
}

function defineEvents(runs: Command, execute: Execute): void {
  const command = runs
    .command("events")
    .summary("print or follow the log of one run")
    .description("Print the log of one run.")
    .argument("<run>", RUN);
  addFlags(command, EVENTS_FLAGS)
    .addHelpText(
      "after",
      "\nExamples:\n  $ proctor runs events 0190c3a4-… --follow\n  $ proctor runs events 0190c3a4-… --after 41 --json",
    )
    .action((id: string, flags: EventsFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/print-events.ts")).printEvents(id, flags, context),
      ),
    );
}

function defineArtifact(runs: Command, execute: Execute): void {
  const command = runs
    .command("artifact")
    .summary("print what a run produced")
    .description("Print one artifact of a run: as it is in a pipe, safe to look at on a terminal.")
    .argument("<run>", RUN)
    .argument("[name]", "name or id of the artifact; not needed when there is only one");
  addFlags(command, ARTIFACT_FLAGS)
    .addHelpText(
      "after",
      "\nExamples:\n  $ proctor runs artifact last\n  $ proctor runs artifact last report.pdf --output report.pdf",
    )
    .action((run: string, name: string | undefined, flags: ArtifactFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/print-artifact.ts")).printArtifact(run, name, flags, context),
      ),
    );
}

function defineMessages(runs: Command, execute: Execute): void {
  const command = runs
    .command("messages")
    .summary("print what was said in a run")
    .description("Print what was said, asked and answered in a run, as a thread.")
    .argument("<run>", RUN);
  addFlags(command, MESSAGES_FLAGS)
    .addHelpText("after", "\nExamples:\n  $ proctor runs messages last\n  $ proctor runs messages last --all")
    .action((run: string, flags: MessagesFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/print-messages.ts")).printMessages(run, flags, context),
      ),
    );
}

function defineSay(runs: Command, execute: Execute): void {
  const command = runs
    .command("say")
    .summary("say something to an agent at work")
    .description("Say something to the agent of a run that has not ended.")
    .argument("<run>", RUN)
    .argument("<text...>", "what to say; - reads it from stdin");
  addFlags(command, SAY_FLAGS)
    .addHelpText(
      "after",
      '\nExamples:\n  $ proctor runs say last "Use the metric system"\n  $ proctor runs say 0190c3a4-… - < notes.txt',
    )
    .action((run: string, words: string[], flags: SayFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/say-to-run.ts")).sayToRun(run, words, flags, context),
      ),
    );
}

function defineQuestions(runs: Command, execute: Execute): void {
  const command = runs
    .command("questions")
    .summary("list the questions that wait for an answer")
    .description(
      "List the questions of all runs that nobody has answered yet, those of the oldest run first.",
    );
  addFlags(command, QUESTIONS_FLAGS)
    .addHelpText(
      "after",
      "\nExamples:\n  $ proctor runs questions\n  $ proctor runs questions --kind permission --agent writer --json",
    )
    .action((flags: QuestionsFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/list-questions.ts")).listQuestions(flags, context),
      ),
    );
}

function defineAnswer(runs: Command, execute: Execute): void {
  const command = runs
    .command("answer")
    .summary("answer a question of a run")
    .description("Answer a question of a run. Without an answer in the flags, a terminal asks for one.")
    .argument("<run>", RUN)
    .argument("[question]", "id of the question, or the beginning of it; not needed when only one is open");
  addFlags(command, ANSWER_FLAGS)
    .addHelpText(
      "after",
      `\nExamples:\n  $ proctor runs answer last\n  $ proctor runs answer last --option Allow\n  $ proctor runs answer 0190c3a4-… colour --text blue\n  $ proctor runs answer last --data '{"size": 3}'\n  $ proctor runs answer last --text - < token.txt`,
    )
    .action((run: string, question: string | undefined, flags: AnswerFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/answer-run.ts")).answerRun(run, question, flags, context),
      ),
    );
}

function defineCancel(runs: Command, execute: Execute): void {
  const command = runs
    .command("cancel")
    .summary("cancel a run")
    .description("Cancel a run that has not ended.")
    .argument("<run>", RUN);
  addFlags(command, ONE_RUN_FLAGS)
    .addHelpText("after", "\nExamples:\n  $ proctor runs cancel 0190c3a4-…")
    .action((id: string, flags: OneRunFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/cancel-run.ts")).cancelRun(id, flags, context),
      ),
    );
}

function defineExport(runs: Command, execute: Execute): void {
  const command = runs
    .command("export")
    .summary("send runs to an OpenTelemetry collector")
    .description("Send runs to an OpenTelemetry collector, each as a trace.")
    .argument("<run...>", RUN);
  addFlags(command, EXPORT_FLAGS)
    .addHelpText("after", "\nExamples:\n  $ proctor runs export 0190c3a4-… --otlp http://localhost:4318")
    .action((ids: string[], flags: ExportFlags) =>
      execute(async (context) =>
        (await import("../actions/runs/export-runs.ts")).exportRuns(ids, flags, context),
      ),
    );
}
