// A difference on a terminal: what was expected in red, what came in green, the words that differ set off. Without colours
// carets point at them.
import { textWidth } from "../columns.ts";
import { printable } from "../../../core/printable.ts";
import type { Difference, Span } from "../difference.ts";
import type { Colors } from "./progress-lines.ts";

export function differenceLines(difference: Difference, colors: Colors): string[] {
  const legend = `${colors.red("- expected")}  ${colors.green("+ actual")}`;
  return [
    legend,
    ...(difference.form === "words" ? byWords(difference, colors) : byLines(difference, colors)),
  ];
}

function byLines({ lines }: Extract<Difference, { form: "lines" }>, colors: Colors): string[] {
  return lines.map(({ mark, text }) => {
    const line = `${mark} ${safe(text)}`.trimEnd();
    if (mark === "-") return colors.red(line);
    return mark === "+" ? colors.green(line) : colors.dim(line);
  });
}

function byWords({ expected, actual }: Extract<Difference, { form: "words" }>, colors: Colors): string[] {
  const side = (mark: string, spans: readonly Span[], paint: (text: string) => string): string => {
    const words = spans.map(({ text, changed }) =>
      changed ? paint(colors.inverse(safe(text))) : paint(safe(text)),
    );
    return `${paint(`${mark} `)}${words.join("")}`;
  };
  const lines = [side("-", expected, colors.red), side("+", actual, colors.green)];
  if (colors.isColorSupported) return lines;
  const [below, above] = [carets(actual), carets(expected)];
  return [
    ...lines.slice(0, 1),
    ...(below === "" ? [above] : []),
    ...lines.slice(1),
    ...(below === "" ? [] : [below]),
  ];
}

function carets(spans: readonly Span[]): string {
  const marks = spans.map(({ text, changed }) => (changed ? "^" : " ").repeat(textWidth(safe(text))));
  const line = marks.join("").trimEnd();
  return line === "" ? "" : `  ${line}`;
}

/** Tabs are as wide as the terminal wants: here they would move the carets. */
function safe(text: string): string {
  return printable(text.toWellFormed()).replaceAll("\t", "  ").replaceAll("\n", " ");
}
