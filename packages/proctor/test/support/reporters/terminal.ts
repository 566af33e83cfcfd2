// As much of a terminal as the live console uses: a screen that lines, colours and movements of the cursor are written to.
// Anything else is an error.

export interface Terminal {
  write(text: string): void;
  /** The lines of the screen, colours left out. */
  screen(): string[];
  /** The window becomes this narrow: longer lines wrap, as most terminals have it. The cursor stays at the end. */
  narrow(columns: number): void;
}

// oxlint-disable-next-line no-control-regex
const TOKEN = /\u001b\[(\??)([\d;]*)([A-Za-z])|[^]/gu;

export function createTerminal(): Terminal {
  const lines: string[][] = [[]];
  let row = 0;
  let column = 0;

  function control(mark: string, parameter: string, final: string): void {
    if (final === "m" && mark === "") return;
    if (mark === "?" && parameter === "7" && /[hl]/.test(final)) return;
    if (final === "A" && mark === "") {
      row -= Number(parameter);
      if (row < 0) throw new Error("above the screen");
    } else if (final === "K" && parameter === "") lines[row]?.splice(column);
    else if (final === "J" && parameter === "") {
      lines[row]?.splice(column);
      lines.splice(row + 1);
    } else throw new Error(`unknown control: ${mark}${parameter}${final}`);
  }

  return {
    write(text) {
      for (const [token, mark = "", parameter = "", final] of text.matchAll(TOKEN)) {
        if (final !== undefined) control(mark, parameter, final);
        else if (token === "\r") column = 0;
        else if (token === "\n") {
          row += 1;
          column = 0;
          lines[row] ??= [];
        } else {
          // oxlint-disable-next-line no-control-regex
          if (/[\u0000-\u001f\u007f-\u009f]/.test(token))
            throw new Error(`a control character: ${token.charCodeAt(0)}`);
          const line = (lines[row] ??= []);
          while (line.length < column) line.push(" ");
          line[column] = token;
          column += 1;
        }
      }
    },
    screen: () => lines.map((line) => line.join("")),
    narrow(columns) {
      const pieces = (line: string[]): string[][] =>
        Array.from({ length: Math.max(1, Math.ceil(line.length / columns)) }, (_, index) =>
          line.slice(index * columns, (index + 1) * columns),
        );
      lines.splice(0, lines.length, ...lines.flatMap(pieces));
      row = lines.length - 1;
      column = lines[row]?.length ?? 0;
    },
  };
}
