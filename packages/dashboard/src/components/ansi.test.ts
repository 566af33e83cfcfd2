import { describe, expect, it } from "vitest";
import { cssColour, parseAnsi, plainText } from "./ansi.ts";

const ESC = "\u001b";

describe("What a program printed", () => {
  it("keeps its colours, bold and plain again", () => {
    expect(parseAnsi(`${ESC}[1;31mbad${ESC}[0m ok ${ESC}[38;5;208mwarm${ESC}[39m`)).toEqual([
      { text: "bad", bold: true, colour: 1 },
      { text: " ok " },
      { text: "warm", colour: 208 },
    ]);
    expect(parseAnsi(`${ESC}[48;2;300;0;16mx`)).toEqual([{ text: "x", ground: "#ff0010" }]);
  });

  it("loses every sequence that is no colour: moves, links, titles, control characters", () => {
    const sly = `${ESC}]8;;javascript:alert(1)\u0007click${ESC}]8;;\u0007${ESC}[2J${ESC}[H\u0000\rx`;
    expect(
      parseAnsi(sly)
        .map(({ text }) => text)
        .join(""),
    ).toBe("clickx");
    expect(plainText(sly)).toBe("clickx");
  });

  it("has colours that are colours, whatever the numbers were", () => {
    for (const text of [
      `${ESC}[38;5;999mx`,
      `${ESC}[38;5mx`,
      `${ESC}[38;2mx`,
      `${ESC}[38mx`,
      `${ESC}[999999999999mx`,
    ]) {
      for (const { colour = 0 } of parseAnsi(text)) {
        expect(cssColour(colour)).toMatch(
          /^(?:var\(--ansi-\d{1,2}\)|oklch\(from (?:#[0-9a-f]{6}|rgb\(\d{1,3} \d{1,3} \d{1,3}\)) clamp\([^;]*\))$/,
        );
      }
    }
  });
});
