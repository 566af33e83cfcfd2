// What is shown of a growing artifact, cut at every byte: never a secret, never half a character, and in the end what is stored.
import { describe, expect, it } from "vitest";
import { createRedactor } from "../core/redact.ts";
import { createGrowingRedactor } from "./growing-redactor.ts";
import { createShownText } from "./shown-text.ts";

const SECRET = "pässwörd-😀-42";
const room = (): { chars: number } => ({ chars: 8 * 1024 * 1024 });

function shownOf(content: Buffer, cuts: readonly number[], redactor = createRedactor([])): string[] {
  const shown = createShownText(redactor, room());
  const ends = [...cuts, content.length];
  const pieces = ends.map((end, index) => content.subarray(ends[index - 1] ?? 0, end));
  return [...pieces.map((piece) => shown.push(piece)), shown.end()];
}

describe("the text of a growing artifact", () => {
  const redactor = createRedactor([{ name: "KEY", value: SECRET }]);
  const base64 = Buffer.from(SECRET).toString("base64");
  const content = Buffer.from(`\ufeffÜber ${SECRET} und ${base64}, 😀!`);

  it("is shown without secrets and half characters, wherever two cuts go, and comes to what is stored", () => {
    const stored = Buffer.from(redactor.bytes(content) ?? content);
    for (let one = 0; one <= content.length; one++) {
      for (let other = one; other <= content.length; other += 7) {
        const pieces = shownOf(content, [one, other], redactor);
        expect(pieces.every((piece) => piece.isWellFormed() && !piece.includes("\ufffd"))).toBe(true);
        expect(Buffer.from(pieces.join("")).equals(stored)).toBe(true);
      }
    }
  });

  it("is shown at once where nothing in it may be a secret", () => {
    expect(shownOf(Buffer.from("one two"), [4])).toEqual(["one ", "two", ""]);
  });

  it("hides a secret that came while it was written, and one that was cut by that moment", () => {
    const growing = createGrowingRedactor([{ name: "OLD", value: "old-secret" }]);
    const shown = createShownText(growing, room());
    const first = shown.push(Buffer.from("a old-se"));
    growing.add([{ name: "NEW", value: "new-secret" }]);
    const rest = shown.push(Buffer.from("cret b new-secr")) + shown.push(Buffer.from("et c"));
    expect(first + rest + shown.end()).toBe("a [redacted:OLD] b [redacted:NEW] c");
  });

  it.each([
    ["bytes that are no UTF-8", Buffer.from([0x61, 0xff, 0x62])],
    ["UTF-16", Buffer.from("ab", "utf16le")],
    ["half a character at its end", Buffer.from("ab😀").subarray(0, 5)],
  ])("is no longer shown when it turns out to be %s", (_what, bytes) => {
    const shown = createShownText(createRedactor([]), room());
    const all =
      shown.push(Buffer.from("ok ")) + shown.push(bytes) + shown.push(Buffer.from("more")) + shown.end();
    expect(all).toMatch(/^ok (?:ab)?$/);
  });

  it("is shown up to a limit, of its own and of all texts together", () => {
    const shown = createShownText(createRedactor([]), room());
    const mega = Buffer.alloc(1024 * 1024, "a");
    expect(shown.push(mega)).toHaveLength(mega.length);
    expect(shown.push(Buffer.from("a")) + shown.end()).toBe("");
    const together = { chars: 3 };
    const [one, other] = [1, 2].map(() => createShownText(createRedactor([]), together));
    expect([one?.push(Buffer.from("ab")), other?.push(Buffer.from("ab"))]).toEqual(["ab", ""]);
  });
});
