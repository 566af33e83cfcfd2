// What a program printed, in its colours.
import { cssColour, cssGround, parseAnsi } from "./ansi.ts";

export function TerminalText({ text }: { text: string }) {
  return (
    <>
      {parseAnsi(text).map(({ text: part, colour, ground, bold, dim, italic, underline }, index) => (
        <span
          key={index}
          style={{
            ...(colour !== undefined && { color: cssColour(colour) }),
            ...(ground !== undefined && { backgroundColor: cssGround(ground) }),
            ...(bold === true && { fontWeight: 700 }),
            ...(dim === true && { opacity: 0.7 }),
            ...(italic === true && { fontStyle: "italic" }),
            ...(underline === true && { textDecoration: "underline" }),
          }}
        >
          {part}
        </span>
      ))}
    </>
  );
}
