// A job as the command line and the input of a program. Pure.
import { feedbackIn } from "../../core/feedback.ts";
import type { Job } from "../../core/ports/driver.ts";
import { oneLine } from "../one-line.ts";
import { fillText, placeholdersIn, type FillValues } from "../placeholders.ts";
import { messageOfTask, transcriptOf, type Turn } from "../turns.ts";
import type { TextOptions } from "./options.ts";

/** Returns whether the program gets the history. */
export function takesHistory({ spec: { command = [] } }: Pick<Job, "spec">, { input }: TextOptions): boolean {
  return input === "json" || placeholdersIn(command.slice(1)).has("history");
}

export interface ProgramInput {
  command: string[];
  /** Content of stdin. */
  stdin: string;
}

export function encodeProgram(job: Job, { input }: TextOptions, history: Turn[]): ProgramInput {
  const { task, conversation, runId } = job;
  const [file = "", ...words] = job.spec.command ?? [];
  const values: FillValues = {
    task: task.description,
    message: messageOfTask(job),
    input: task.input_data ?? null,
    feedback: feedbackIn(job.metadata) ?? null,
    conversation_id: conversation?.id ?? runId,
    history,
  };
  const command = [file, ...words.map((word) => fillWord(word, values))];
  if (input === "json") {
    const { feedback } = values;
    const document = {
      task: task.description,
      input_data: task.input_data ?? null,
      history,
      ...(feedback !== null && { feedback }),
    };
    return { command, stdin: `${oneLine(JSON.stringify(document))}\n` };
  }
  const names = placeholdersIn(words);
  const isAsked = names.has("task") || names.has("message");
  return { command, stdin: isAsked && input === undefined ? "" : `${values.message}\n` };
}

/** Fills a word of the command line, in which the history is a transcript. */
function fillWord(word: string, values: FillValues): string {
  if (!placeholdersIn(word).has("history")) return fillText(word, values);
  const parts = word.split("{history}").map((part) => fillText(part, values));
  return parts.join(transcriptOf(values.history));
}
