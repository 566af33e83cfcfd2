import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attachment } from "./attachment.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

describe("the download's name", () => {
  it.each([
    ["a/b/отчёт.txt", "_____.txt", "%D0%BE%D1%82%D1%87%D1%91%D1%82.txt"],
    ['we"ird\\na%me.txt', "na_me.txt", "na%25me.txt"],
    ["../../", "..", undefined],
    ["C:\\temp\\x.exe", "x.exe", "x.exe"],
    ["evil\u202Egnp.exe", "evilgnp.exe", "evilgnp.exe"],
    ["a\r\nx-evil: 1", "ax-evil: 1", "ax-evil%3A%201"],
    ["it's (1)*.txt", "it's (1)*.txt", "it%27s%20%281%29%2A.txt"],
  ])("of %j is harmless", (path, ascii, encoded) => {
    const header = attachment(path);
    if (encoded === undefined)
      expect(header).toBe("attachment; filename=\"artifact\"; filename*=UTF-8''artifact");
    else expect(header).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`);
  });

  it("is always a header that a server may send", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (path) => {
        const header = attachment(path);
        expect(new Headers({ "content-disposition": header }).get("content-disposition")).toBe(header);
        expect(header).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/);
      }),
    );
  });
});
