// `proctor runs answer`: from the flags, or from the person at the terminal.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { refuseInexactNumbers } from "../../../core/json-numbers.ts";
import { messageOf } from "../../../core/message-of.ts";
import { MAX_MESSAGE_CHARS, textPart } from "../../../core/message.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Question } from "../../../core/question.ts";
import type { Run } from "../../../core/run.ts";
import type { CliIo } from "../../cli-io.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createPrompt, hasPerson } from "../../terminal/prompt.ts";
import { questionLines } from "../../terminal/question-lines.ts";
import { createScreen, type Screen } from "../../terminal/screen.ts";
import { oneLine } from "../../terminal/text.ts";
import { readStdin } from "../read-stdin.ts";
import { askPerson, type Answered } from "../talk/ask-person.ts";
import { person } from "../talk/person.ts";
import { findQuestion } from "./find-question.ts";
import { findRun } from "./find-run.ts";
import type { AnswerFlags } from "./flags.ts";

const SMALLER = "put it where the agent can read it, and answer with that place";

export async function answerRun(
  reference: string,
  wanted: string | undefined,
  flags: AnswerFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  const answered = await readFlags(flags, io);
  return withHub(context, flags, "write", async ({ hub }) => {
    const screen = createScreen(io);
    const run = await findRun(hub, reference);
    const question = findQuestion(run, wanted);
    const after =
      answered === undefined
        ? await askHere(hub, run, question, screen, io)
        : await send(hub, run, question, answered, io);
    if (flags.json === true) screen.printJson(after);
    else
      screen.print(
        `${screen.paint.green("»")} answered ${oneLine(question.id)} of ${run.id}, which is ${after.status}`,
        `   watch: proctor runs events ${run.id} --follow`,
      );
    return 0;
  });
}

function send(hub: Hub, { id }: Run, question: Question, answered: Answered, io: CliIo): Promise<Run> {
  return hub.answer(id, { question_id: question.id, by: person(io), ...answered });
}

async function askHere(hub: Hub, run: Run, question: Question, screen: Screen, io: CliIo): Promise<Run> {
  const options = question.options?.map(({ id, name }) => `${oneLine(id)} (${oneLine(name)})`).join(", ");
  if (!hasPerson(io)) {
    throw new ProctorError(
      "USAGE",
      `there is no answer\ngive one with --option, --text, --data or --decline${options === undefined ? "" : `; options: ${options}`}`,
    );
  }
  screen.print(...questionLines(question, screen.paint, screen.width));
  let after = run;
  const submit = async (answered: Answered): Promise<void> => {
    after = await send(hub, run, question, answered, io);
  };
  await askPerson(question, { prompt: createPrompt(io), paint: screen.paint, submit, indent: "" }, io.signal);
  return after;
}

/** Resolves with the answer in the flags; undefined when they have none. */
async function readFlags(flags: AnswerFlags, io: CliIo): Promise<Answered | undefined> {
  const { option, text, data, decline } = flags;
  if (decline === true && (text !== undefined || data !== undefined)) {
    throw new ProctorError("USAGE", "--decline goes with no answer\nleave out one of them");
  }
  if (option === undefined && text === undefined && data === undefined && decline !== true) return undefined;
  return {
    ...(decline === true && { outcome: "declined" as const }),
    ...(option !== undefined && { option }),
    ...(text !== undefined && { parts: [textPart(await readText(text, io))] }),
    ...(data !== undefined && { data: await readData(data, io) }),
  };
}

/** Reads the text of an answer. The line break at the end, which an editor or `echo` wrote, is not a part of it. */
async function readText(text: string, io: CliIo): Promise<string> {
  return text === "-" ? (await readStdin(io, MAX_MESSAGE_CHARS, SMALLER)).replace(/\r?\n$/, "") : text;
}

async function readData(source: string, io: CliIo): Promise<Json> {
  const text = source.startsWith("@") ? await readSource(source.slice(1), io) : source;
  try {
    const data = JSON.parse(text) as Json;
    refuseInexactNumbers(text);
    return data;
  } catch (error) {
    if (ProctorError.is(error)) throw error;
    throw new ProctorError(
      "INVALID_REQUEST",
      `--data is not JSON: ${messageOf(error)}\nfor example: --data '{"size": 3}', or --data @answer.json`,
    );
  }
}

async function readSource(file: string, io: CliIo): Promise<string> {
  if (file === "-") return readStdin(io, MAX_MESSAGE_CHARS, SMALLER);
  try {
    return await readFile(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new ProctorError("FILE_UNREADABLE", `--data @${file}: ${messageOf(error)}`, { cause: error });
  }
}
