// A question as a person reads it: what is asked, the exact action where one is to be approved, and what may be answered. Agents
// choose the names of options, so what an option does stands next to its name.
import { formFields } from "./form-fields.ts";
import { textOf } from "../../core/message.ts";
import type { Question } from "../../core/question.ts";
import { formatCount } from "./amounts.ts";
import type { Paint } from "./paint.ts";
import { manyLines, oneLine, padStart, truncate, wrap } from "./text.ts";

const MAX_SUBJECT_CHARS = 4000;
const MAX_FIELDS = 20;
const EFFECTS = { allow: "allows it", deny: "denies it", other: "" } as const;

/** Returns the lines of a question; the first says what is asked. */
export function questionLines(question: Question, paint: Paint, columns = Infinity): string[] {
  const { kind, parts, subject, options = [], schema } = question;
  const asked = `${kind === "input" ? "" : `${kind}: `}${textOf(parts)}`;
  return [
    ...textLines(asked, columns),
    ...(subject === undefined ? [] : subjectLines(JSON.stringify(subject), columns).map(paint.dim)),
    ...options.map((option, index) => {
      const number = padStart(String(index + 1), String(options.length).length);
      const effect = EFFECTS[option.effect];
      const room = columns - number.length - 2 - (effect === "" ? 0 : effect.length + 2);
      const name = truncate(oneLine(option.name) || oneLine(option.id), Math.max(8, room));
      return `${paint.bold(number)}  ${name}${effect === "" ? "" : `  ${paint.dim(effect)}`}`;
    }),
    ...(kind === "form" && schema !== undefined ? fieldLines(schema, paint, columns) : []),
  ];
}

/** Returns the lines of a text, wrapped where they are wider than the terminal. */
export function textLines(text: string, columns = Infinity): string[] {
  const lines = manyLines(text.toWellFormed()).replace(/\n+$/, "").split("\n");
  return lines.flatMap((line) => (line === "" ? [""] : wrap(line, columns)));
}

function subjectLines(json: string, columns: number): string[] {
  const cut = json.length - MAX_SUBJECT_CHARS;
  const lines = textLines(json.slice(0, MAX_SUBJECT_CHARS), columns);
  return cut > 0 ? [...lines, `… ${formatCount(cut)} more characters: proctor runs show --json`] : lines;
}

function fieldLines(schema: NonNullable<Question["schema"]>, paint: Paint, columns: number): string[] {
  const fields = formFields(schema) ?? [];
  return fields.slice(0, MAX_FIELDS).map(({ name, description = "" }) => {
    const label = oneLine(name);
    return `${label}  ${paint.dim(truncate(oneLine(description), Math.max(8, columns - label.length - 2)))}`.trimEnd();
  });
}
