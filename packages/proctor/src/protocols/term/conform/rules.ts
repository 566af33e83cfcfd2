// Every rule that a terminal agent is held to, in the order in which they are tried. Documented in docs/reference/term.md.
import type { AdvisedRule } from "../../../conformance/try-rules.ts";

export type TermRule = AdvisedRule;

const ALL = [
  {
    id: "term.answer.given",
    section: "Communication Flow",
    title: "a request is answered",
    level: "must",
    advice: "read one line, answer it with one line, and read the next",
  },
  {
    id: "term.answer.flushed",
    section: "Writing Output Correctly",
    title: "the answer comes while the input stays open",
    level: "must",
    advice: "read line by line, not until EOF, and flush stdout after each answer",
  },
  {
    id: "term.answer.json",
    section: "Response Format",
    title: "each line is one JSON object",
    level: "must",
    advice: "write one JSON object on one line, without line breaks inside",
  },
  {
    id: "term.answer.types",
    section: "Response Fields",
    title: "command, task_complete, text and the legacy commands have their types",
    level: "must",
    advice: "give each field the type that the document has; commands is a list of {keystrokes, duration}",
  },
  {
    id: "term.answer.single",
    section: "Overview",
    title: "one request gets exactly one line",
    level: "must",
    advice: "answer once, and wait for the next request",
  },
  {
    id: "term.answer.line",
    section: "Overview",
    title: "each answer ends with a line break",
    level: "must",
    advice: "end the line, also the last one",
  },
  {
    id: "term.answer.useful",
    title: "it asks for a command, or says that it is done",
    level: "should",
    advice: "an answer with neither is a step that does nothing; three in a row may be the last",
  },
  {
    id: "term.stdout.unasked",
    section: "Communication Flow",
    title: "it says nothing before the first request",
    level: "must",
    advice: "wait for the request; write what it is doing to stderr",
  },
  {
    id: "term.stdout.clean",
    section: "Logging (stderr)",
    title: "nothing but answers on stdout",
    level: "must",
    advice: "write logs to stderr",
  },
  {
    id: "term.alive",
    section: "Agent Lifecycle",
    title: "it stays alive between steps",
    level: "must",
    advice: "answer requests in a loop; exit only after task_complete, or when the input ends",
  },
  {
    id: "term.request.nulls",
    section: "Request Fields",
    title: "output, exit_code and last_command may be null",
    level: "must",
    advice: "take null on step 1, and exit_code null whenever none is known",
  },
  {
    id: "term.request.absent",
    section: "Complete Example",
    title: "a request without last_command is answered",
    level: "must",
    advice: "take a field that is not there as null: the document's own example leaves one out",
  },
  {
    id: "term.request.unknown_fields",
    title: "fields that it does not know are ignored",
    level: "must",
    advice: "read the fields you know, and leave the rest alone",
  },
  {
    id: "term.request.unicode",
    section: "Request Fields",
    title: "text of any script is taken",
    level: "must",
    advice: "read stdin as UTF-8, whatever the locale says",
  },
  {
    id: "term.request.large",
    title: "1 MB of output is taken",
    level: "must",
    advice: "read whole lines, however long they are",
  },
  {
    id: "term.request.failure",
    section: "Request Fields",
    title: "a command that failed is answered like any other",
    level: "must",
    advice: "look at exit_code; a failure is a result, not an error of yours",
  },
  {
    id: "term.request.again",
    section: "Error Handling",
    title: "the same step, sent again with error, is answered",
    level: "must",
    advice: "answer every request, also one with a step that was there already",
  },
  {
    id: "term.invalid.complete",
    title: "an error is not completion: a line that is no request is not answered with task_complete",
    level: "must",
    advice: "never say task_complete because something went wrong; exit with a code instead",
  },
  {
    id: "term.invalid.exit",
    title: "an agent that gives up exits with a code other than 0",
    level: "must",
    advice: "let errors end the program with a code other than 0, and say why on stderr",
  },
  {
    id: "term.end.exits",
    section: "Agent Lifecycle",
    title: "it exits after task_complete, with code 0",
    level: "must",
    advice: "leave the loop after task_complete, clean up, and exit within two seconds",
  },
  {
    id: "term.end.eof",
    section: "Reading Input Correctly",
    title: "it exits when its input ends",
    level: "must",
    advice: "leave the loop when there are no more lines",
  },
  {
    id: "term.end.sigterm",
    section: "Error Handling",
    title: "it ends when it is terminated",
    level: "should",
    advice: "do not ignore SIGTERM",
  },
  {
    id: "term.end.leftover",
    title: "nothing of it is left running",
    level: "should",
    advice: "end what you started in cleanup",
  },
] as const satisfies readonly TermRule[];

export type RuleId = (typeof ALL)[number]["id"];

export const RULES: readonly (TermRule & { id: RuleId })[] = ALL;
