// `proctor mock` as tests run it, and what all mocks refuse alike.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { createIo, type IoDouble, type IoOptions } from "./program-double.ts";

interface MockCommand {
  kind: "llm" | "tools" | "oauth" | "push";
  /** Name of the file that is served. */
  file: string;
  /** Matches the address in what the command prints. */
  address: RegExp;
}

export interface StartedMock {
  io: IoDouble;
  ended: Promise<number>;
  address: string;
}

/** Resolves when the mock has printed its address. */
export async function startMock(
  { kind, file, address }: MockCommand,
  args: readonly string[],
  options: IoOptions,
): Promise<StartedMock> {
  const io = createIo({ env: { NO_COLOR: "1" }, ...options });
  const ended = main(["mock", kind, file, "--port", "0", ...args], io);
  let found: string | undefined;
  while (found === undefined) {
    found = address.exec(io.out())?.[0];
    await Promise.race([new Promise((resolve) => setImmediate(resolve)), ended]);
    if (io.err() !== "") throw new Error(io.err());
  }
  return { io, ended, address: found };
}

/** A row names what is refused, with the arguments and what is said about them. */
export type Refusal = [what: string, args: string[], message: RegExp];

/** `mistake` is a key that the file of this mock does not have. */
export function describeMockRefusals(
  command: MockCommand,
  { folder, mistake, more = [] }: { folder: string; mistake: string; more?: Refusal[] },
): void {
  const { kind, file } = command;

  describe(`proctor mock ${kind} refuses with exit code 2`, () => {
    test.each<Refusal>([
      ["a file that is not there", ["missing.yaml"], /^error: missing\.yaml {2}there is no such file/],
      [
        "a file with a mistake",
        ["bad.yaml"],
        new RegExp(`^error: bad\\.yaml:1:1 {2}unknown key "${mistake}"`),
      ],
      [
        "a log that cannot be written",
        [file, "--log", "no/such/dir"],
        /the log no\/such\/dir cannot be written/,
      ],
      ...more,
    ])("%s", async (_what, args, message) => {
      await writeFile(join(folder, "bad.yaml"), `${mistake}: []\n`);
      const io = createIo({ cwd: folder });
      expect(await main(["mock", kind, ...args, "--port", "0"], io)).toBe(2);
      expect(io.err()).toMatch(message);
      expect(io.out()).toBe("");
    });

    test("a port that is taken, with the flag that changes it", async () => {
      const first = await startMock(command, [], { cwd: folder });
      const io = createIo({ cwd: folder });
      expect(await main(["mock", kind, file, "--port", new URL(first.address).port], io)).toBe(2);
      expect(io.err()).toMatch(/the port is in use.*\n.*--port/);
      first.io.interrupt();
      await first.ended;
    });

    test.each(["x", "-1", "65536", "1.5"])("the port %s", async (port) => {
      expect(await main(["mock", kind, file, `--port=${port}`], createIo())).toBe(2);
    });
  });
}
