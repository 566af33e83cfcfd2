// `proctor runs`: what ran, how it went, talking to it, and stopping it.
import type { Command } from "commander";
import {
  ANSWER_FLAGS,
  ARTIFACT_FLAGS,
  EVENTS_FLAGS,
  EXPORT_FLAGS,
  FORK_RUN_FLAGS,
  LIST_RUNS_FLAGS,
  MESSAGES_FLAGS,
  QUESTIONS_FLAGS,
} from "../actions/runs/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

const NAMED = "id of the run, the beginning of it, or last";
const RUN = ["<run>", NAMED] as const;

export function defineRuns(program: Command, execute: Execute): void {
  const runs = program
    .command("runs")
    .summary("list, inspect, follow, talk to and cancel runs")
    .description(
      "List, inspect, follow, talk to and cancel runs. A run is named by its id, by the beginning of its id, or by `last`, the newest.",
    );
  defineReading(runs, execute);
  defineTalking(runs, execute);
  defineCommand(runs, execute, {
    name: "cancel",
    summary: "cancel a run",
    description: "Cancel a run that has not ended.",
    arguments: [RUN],
    flags: documentFlags("the run"),
    examples: ["proctor runs cancel 0190c3a4-…"],
    action: async () => (await import("../actions/runs/one-run.ts")).cancelRun,
  });
  defineCommand(runs, execute, {
    name: "export",
    summary: "make a suite of a run, or send runs to an OpenTelemetry collector",
    description:
      "Make a suite of a run: its task, its agent, what its tools answered, and what it produced as checks to be edited. With --otlp, send runs to an OpenTelemetry collector, each as a trace.",
    arguments: [["<run...>", NAMED]],
    flags: EXPORT_FLAGS,
    examples: [
      "proctor runs export last -o suite.yaml",
      "proctor runs export 0190c3a4-… --otlp http://localhost:4318",
    ],
    action: async () => (await import("../actions/runs/export-runs.ts")).exportRuns,
  });
}

function defineReading(runs: Command, execute: Execute): void {
  defineCommand(runs, execute, {
    name: "list",
    summary: "list runs, newest first",
    flags: LIST_RUNS_FLAGS,
    examples: [
      "proctor runs list",
      "proctor runs list --status failed timeout --agent writer --limit 20",
      "proctor runs list --json",
    ],
    action: async () => (await import("../actions/runs/list-runs.ts")).listRuns,
  });
  defineCommand(runs, execute, {
    name: "show",
    summary: "show everything about one run",
    arguments: [RUN],
    flags: documentFlags("the run"),
    examples: ["proctor runs show last", "proctor runs show 0190c3a4-… --json"],
    action: async () => (await import("../actions/runs/one-run.ts")).showRun,
  });
  defineCommand(runs, execute, {
    name: "events",
    summary: "print or follow the log of one run",
    description: "Print the log of one run.",
    arguments: [RUN],
    flags: EVENTS_FLAGS,
    examples: ["proctor runs events 0190c3a4-… --follow", "proctor runs events 0190c3a4-… --after 41 --json"],
    action: async () => (await import("../actions/runs/print-events.ts")).printEvents,
  });
  defineCommand(runs, execute, {
    name: "artifact",
    summary: "print what a run produced",
    description: "Print one artifact of a run: as it is in a pipe, safe to look at on a terminal.",
    arguments: [RUN, ["[name]", "name or id of the artifact; not needed when there is only one"]],
    flags: ARTIFACT_FLAGS,
    examples: ["proctor runs artifact last", "proctor runs artifact last report.pdf --output report.pdf"],
    action: async () => (await import("../actions/runs/print-artifact.ts")).printArtifact,
  });
}

function defineTalking(runs: Command, execute: Execute): void {
  defineCommand(runs, execute, {
    name: "messages",
    summary: "print what was said in a run",
    description: "Print what was said, asked and answered in a run, as a thread.",
    arguments: [RUN],
    flags: MESSAGES_FLAGS,
    examples: ["proctor runs messages last", "proctor runs messages last --all"],
    action: async () => (await import("../actions/runs/print-messages.ts")).printMessages,
  });
  defineCommand(runs, execute, {
    name: "say",
    summary: "say something to an agent at work",
    description: "Say something to the agent of a run that has not ended.",
    arguments: [RUN, ["<text...>", "what to say; - reads it from stdin"]],
    flags: documentFlags("the message"),
    examples: ['proctor runs say last "Use the metric system"', "proctor runs say 0190c3a4-… - < notes.txt"],
    action: async () => (await import("../actions/runs/say-to-run.ts")).sayToRun,
  });
  defineCommand(runs, execute, {
    name: "fork",
    summary: "go on from a point of an ended run, in another run",
    description:
      "Go on from a point of an ended run in another run: after something its agent said, after a step of its terminal, or at its end. The fork knows nothing of what came later. `proctor runs messages --json` has the sequences.",
    arguments: [RUN],
    flags: FORK_RUN_FLAGS,
    examples: [
      'proctor runs fork last --say "In metres, please"',
      'proctor runs fork 0190c3a4-… --after 12 --say "Try another way" --agent writer-2',
      "proctor runs fork 0190c3a4-… --step 3 --agent term+stdio:agent.py",
    ],
    action: async () => (await import("../actions/runs/fork-run.ts")).forkRun,
  });
  defineCommand(runs, execute, {
    name: "questions",
    summary: "list the questions that wait for an answer",
    description:
      "List the questions of all runs that nobody has answered yet, those of the oldest run first.",
    flags: QUESTIONS_FLAGS,
    examples: ["proctor runs questions", "proctor runs questions --kind permission --agent writer --json"],
    action: async () => (await import("../actions/runs/list-questions.ts")).listQuestions,
  });
  defineCommand(runs, execute, {
    name: "answer",
    summary: "answer a question of a run",
    description: "Answer a question of a run. Without an answer in the flags, a terminal asks for one.",
    arguments: [
      RUN,
      ["[question]", "id of the question, or the beginning of it; not needed when only one is open"],
    ],
    flags: ANSWER_FLAGS,
    examples: [
      "proctor runs answer last",
      "proctor runs answer last --option Allow",
      "proctor runs answer 0190c3a4-… colour --text blue",
      `proctor runs answer last --data '{"size": 3}'`,
      "proctor runs answer last --text - < token.txt",
    ],
    action: async () => (await import("../actions/runs/answer-run.ts")).answerRun,
  });
}
