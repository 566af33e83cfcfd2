import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createFileNaming } from "./stored-name.ts";

const TASK = "01890a5d-ac96-774b-bcce-b302099a8057";
const STEP = "01890a5d-ac96-774b-bcce-b302099a8058";

it("a stored file is named as document 003 does", () => {
  const nameFile = createFileNaming(() => 1_700_000_000_000);
  expect(nameFile("task", "step", "output.txt")).toBe("task_step_1700000000000_output.txt");
});

it("a stored file never gets the name of another, even within a millisecond", () => {
  const nameFile = createFileNaming(() => 7);
  const names = Array.from({ length: 100 }, () => nameFile("t", "s", "a"));
  expect(new Set(names).size).toBe(100);
});

it("a stored name fits every file system, keeps the extension and cuts no character in half", () => {
  const nameFile = createFileNaming();
  const long = nameFile(TASK, STEP, `${"é".repeat(120)}.tar`);
  expect(long.endsWith("é.tar")).toBe(true);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (name) => {
      const stored = nameFile(TASK, STEP, name);
      expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(255);
      expect(stored.isWellFormed()).toBe(true);
    }),
  );
});
