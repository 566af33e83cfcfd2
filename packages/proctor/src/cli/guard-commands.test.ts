import { array, assert, boolean, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { guardCommands } from "./guard-commands.ts";

/** Returns what guarded output holds after these pieces were written. */
function guarded(...pieces: (string | Uint8Array)[]): string {
  const written: Uint8Array[] = [];
  const output = guardCommands({ write: (content) => void written.push(Buffer.from(content)) });
  for (const piece of pieces) output.write(piece);
  return Buffer.concat(written).toString();
}

/** Decides as the runner of GitHub Actions does. */
function isCommand(line: string): boolean {
  return line.trimStart().startsWith("::") || line.includes("##[");
}

const commandsIn = (text: string): string[] => text.split(/[\n\r]/).filter(isCommand);

describe("output in GitHub Actions", () => {
  it.each([
    "::stop-commands::deadbeef",
    "    ::add-mask::passed",
    "said\n\t ::error::x",
    "said\r::error::x",
    "\u00a0\u3000::warning::x",
    "text ##[error]also",
    "###[group]x",
    ":::",
  ])("holds no workflow command, whatever an agent says: %j", (said) => {
    expect(commandsIn(said)).not.toEqual([]);
    expect(commandsIn(guarded(said))).toEqual([]);
    expect(guarded(said)).toMatch(/\\u00(?:3a|5b)/);
    expect(commandsIn(guarded(Buffer.from(said)))).toEqual([]);
  });

  it("is unchanged where it holds no workflow command", () => {
    const text = "a::b\nstd::string #[derive] ## [x]\n: :\n#\n";
    expect(guarded(text)).toBe(text);
  });

  it("holds no workflow command however it is cut into pieces", () => {
    const word = constantFrom(
      "::",
      ":",
      "#",
      "##[",
      "[",
      "\n",
      "\r",
      " ",
      "\u001b[31m",
      "a",
      "error::",
      "\t",
    );
    assert(
      property(array(word, { maxLength: 30 }), boolean(), (words, asBytes) => {
        const pieces = asBytes ? words.map((one) => Buffer.from(one)) : words;
        const text = guarded(...pieces);
        expect(commandsIn(text)).toEqual([]);
        const read = text.replaceAll(String.raw`\u003a`, ":").replaceAll(String.raw`\u005b`, "[");
        expect(read).toBe(words.join(""));
      }),
      { numRuns: 500 },
    );
  });

  it("that is JSON still means the same", () => {
    const said = { text: "::x\n ##[error]y", list: ["##[", "::"] };
    for (const indent of [undefined, 2]) {
      const text = guarded(JSON.stringify(said, null, indent));
      expect(JSON.parse(text)).toEqual(said);
      expect(commandsIn(text)).toEqual([]);
    }
  });

  it("keeps workflow commands that are meant", () => {
    const written: (string | Uint8Array)[] = [];
    const output = guardCommands({ write: (content) => void written.push(content) });
    output.writeCommand?.("::error file=a::b\n");
    output.write("::error::no\n");
    expect(written).toEqual(["::error file=a::b\n", `${String.raw`\u003a`}:error::no\n`]);
  });
});
