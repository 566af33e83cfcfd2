// The flags of `proctor runs`.
import { AUDIENCES, QUESTION_KINDS } from "../../../core/question.ts";
import { RUN_ORDERS, RUN_STATUSES, type RunStatus } from "../../../core/run.ts";
import {
  choice,
  documentFlags,
  flag,
  HUB_FLAGS,
  PAGE_FLAGS,
  wholeNumber,
  type Flag,
  type FlagsOf,
} from "../../flags.ts";

export const LIST_RUNS_FLAGS = [
  // The dots make commander collect several values.
  choice("--status <status...>", "only runs in one of these statuses", RUN_STATUSES) as Flag as Flag<
    "status",
    RunStatus[],
    false
  >,
  flag("--agent <name>", "only runs of this agent"),
  flag("--evaluation <id>", "only runs that were made for this evaluation"),
  flag("--text <text>", "only runs with this in their id, alias or the beginning of their task"),
  choice(
    "--order <order>",
    "which come first; the last two list only what has a cost, or has ended",
    RUN_ORDERS,
  ),
  ...PAGE_FLAGS,
] as const;
export type ListRunsFlags = FlagsOf<typeof LIST_RUNS_FLAGS>;

export const EVENTS_FLAGS = [
  flag("-f, --follow", "keep printing until the run ends"),
  flag("--after <sequence>", "begin after this sequence number", wholeNumber),
  flag("--json", "print one event per line as JSON on stdout, and nothing else there"),
  ...HUB_FLAGS,
] as const;
export type EventsFlags = FlagsOf<typeof EVENTS_FLAGS>;

export const ARTIFACT_FLAGS = [flag("-o, --output <file>", "write it to this file"), ...HUB_FLAGS] as const;
export type ArtifactFlags = FlagsOf<typeof ARTIFACT_FLAGS>;

export const EXPORT_FLAGS = [
  flag("--otlp <url>", "send traces to this collector instead, such as http://localhost:4318"),
  flag("-o, --output <file>", "write the suite to this file"),
  ...HUB_FLAGS,
] as const;
export type ExportFlags = FlagsOf<typeof EXPORT_FLAGS>;

export const FORK_RUN_FLAGS = [
  flag(
    "--after <sequence>",
    "after this event, in which the agent said something (the run's end)",
    wholeNumber,
  ),
  flag("--step <n>", "after this step of a terminal", wholeNumber),
  flag("--say <text>", "what is said next; at a step it takes the place of the task"),
  flag("-a, --agent <address>", "who goes on (the same agent)"),
  ...documentFlags("the run"),
] as const;
export type ForkRunFlags = FlagsOf<typeof FORK_RUN_FLAGS>;

export const ANSWER_FLAGS = [
  flag("--option <option>", "choose this option: its id, or its exact name"),
  flag("--text <text>", "answer with this text; - reads it from stdin"),
  flag("--data <json>", "answer with this JSON; @<file> reads it from a file, @- from stdin"),
  flag("--decline", "say that there will be no answer, or no permission"),
  ...documentFlags("the run"),
] as const;
export type AnswerFlags = FlagsOf<typeof ANSWER_FLAGS>;

export const QUESTIONS_FLAGS = [
  choice("--kind <kind>", "only questions of this kind", QUESTION_KINDS),
  choice(
    "--audience <audience>",
    "only questions for any client, for a person, or for a simulated user",
    AUDIENCES,
  ),
  flag("--agent <name>", "only questions of this agent"),
  flag("--conversation <id>", "only questions of this conversation"),
  ...PAGE_FLAGS,
] as const;
export type QuestionsFlags = FlagsOf<typeof QUESTIONS_FLAGS>;

export const MESSAGES_FLAGS = [
  flag("--all", "the whole conversation that the run belongs to"),
  ...documentFlags("{items}"),
] as const;
export type MessagesFlags = FlagsOf<typeof MESSAGES_FLAGS>;
