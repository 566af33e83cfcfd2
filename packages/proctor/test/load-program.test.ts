// How the joined program is loaded: with the code that was compiled for it, or without.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/temporary-folder.ts";

const LOADER = fileURLToPath(new URL("../bin/load-program.cjs", import.meta.url));
const START = fileURLToPath(new URL("../dist/program/start.cjs", import.meta.url));

describe("The loader of the program", () => {
  it("runs files that ask for each other, for libraries and for Node's own", () => {
    expect(start(program())).toBe("other of start, a/b\n");
  });

  it("keeps compiled code only where it is asked to", () => {
    const file = program();
    start(file);
    expect(existsSync(`${file}.code`)).toBe(false);
    start(file, { PROCTOR_KEEP_CODE: "1" });
    expect(existsSync(`${file}.code`)).toBe(true);
    expect(start(file)).toBe("other of start, a/b\n");
  });

  it("does without compiled code that is not for this Node", () => {
    const file = program();
    writeFileSync(`${file}.code`, "of another Node");
    expect(start(file)).toBe("other of start, a/b\n");
  });

  it("finds compiled code of the built program that this Node takes", () => {
    // In a process of its own: tests before this one may have changed what V8 takes.
    const code = `
      const { readFileSync } = require("node:fs");
      const source = "(function (exports, require, module, __filename, __dirname) { " + readFileSync(process.argv[1], "utf8") + "\\n});";
      const cachedData = readFileSync(process.argv[1] + ".code");
      console.log(new (require("node:vm").Script)(source, { filename: process.argv[1], cachedData }).cachedDataRejected);`;
    expect(execFileSync(process.execPath, ["-e", code, START], { encoding: "utf8" })).toBe("false\n");
  });
});

/** A program of two files. */
function program(): string {
  const folder = temporaryFolder("load");
  writeFileSync(
    join(folder, "start.cjs"),
    `const { name } = require("./other.cjs"); console.log(name + ", " + require("node:path").posix.join("a", "b"));
     exports.name = "start";`,
  );
  writeFileSync(
    join(folder, "other.cjs"),
    `const start = require("./start.cjs"); exports.name = "other of start"; if (start.name) throw new Error("it ran twice");`,
  );
  return join(folder, "start.cjs");
}

function start(file: string, env: NodeJS.ProcessEnv = {}): string {
  const code = `require(${JSON.stringify(LOADER)}).loadProgram(${JSON.stringify(file)})`;
  return execFileSync(process.execPath, ["-e", code], { env: { ...process.env, ...env }, encoding: "utf8" });
}
