import { expect, it } from "vitest";
import { readProgram } from "./read-program.ts";

it("a program in another language is read from beside the module that names it", () => {
  expect(readProgram("./read-program.test.ts", import.meta.url)).toContain("beside the module that names it");
  expect(readProgram("../../environments/container/control.sh", import.meta.url)).toContain("\n");
});

it("a program in another language that is missing is an error that names it", () => {
  expect(() => readProgram("./missing.sh", import.meta.url)).toThrow("missing.sh");
});
