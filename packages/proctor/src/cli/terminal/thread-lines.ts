// A conversation as a thread: who said, asked and answered what, in order.
import type { RunEvent } from "../../core/event.ts";
import { textOf, type Message } from "../../core/message.ts";
import type { Run } from "../../core/run.ts";
import { describeAnswer, describeEvent } from "./describe-event.ts";
import { paintStatus, statusIcon, type Paint } from "./paint.ts";
import { questionLines, textLines } from "./question-lines.ts";
import { oneLine, truncate } from "./text.ts";

type Asked = Extract<
  RunEvent,
  { type: "question.asked" | "question.answered" | "question.withdrawn" | "question.expired" }
>;

export type ThreadEntry = { message: Message } | { event: Asked };

interface ThreadOptions {
  paint: Paint;
  width?: number | undefined;
}

const INDENT = "  ";

export function renderThread(run: Run, entries: readonly ThreadEntry[], options: ThreadOptions): string[] {
  const { paint, width } = options;
  const status = paintStatus(paint, run.status)(`${statusIcon(run.status)} ${run.status}`);
  return [
    `${paint.bold(run.id)}  ${status}`,
    ...entries.flatMap((entry) => [
      "",
      ...renderEntry(run, entry, paint, (width ?? Infinity) - INDENT.length),
    ]),
  ];
}

function renderEntry(run: Run, entry: ThreadEntry, paint: Paint, columns: number): string[] {
  const agent = truncate(oneLine(run.agent), columns);
  if ("message" in entry) {
    const { role, parts } = entry.message;
    const who = role === "user" ? paint.green("» user") : paint.cyan(`« ${agent}`);
    return [who, ...indented(textLines(textOf(parts), columns))];
  }
  const { event } = entry;
  switch (event.type) {
    case "question.asked":
      return [
        paint.magenta(`? ${agent} asks`),
        ...indented(questionLines(event.payload.question, paint, columns)),
      ];
    case "question.answered":
      return [paint.green("» answer"), ...indented(textLines(describeAnswer(event.payload.answer), columns))];
    case "question.withdrawn":
      return [paint.dim("· withdrawn"), ...indented(textLines(describeEvent(event), columns))];
    case "question.expired":
      return [paint.yellow("· expired"), ...indented(textLines(describeEvent(event), columns))];
  }
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `${INDENT}${line}`.trimEnd());
}
