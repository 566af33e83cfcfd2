// Every promise of the Environment port, for any kind: one is done when it passes these. Inside they need bash and the programs of
// coreutils, and nothing else.
import { afterAll, beforeAll, describe } from "vitest";
import type { Environment } from "../core/ports/environments.ts";
import { fileCases } from "./cases/files.case.ts";
import { lifeCases } from "./cases/life.case.ts";
import { ptyCases } from "./cases/pty.case.ts";
import { runCases } from "./cases/run.case.ts";
import { shellCases } from "./cases/shell.case.ts";
import { stateCases } from "./cases/state.case.ts";
import type { PreparedEnvironment } from "./provider.ts";

/** Must use a new `id` each time; what the request says goes before its own. */
export type OpenForCase = (request?: Partial<PreparedEnvironment>) => Promise<Environment>;

export interface EnvironmentAbilities {
  /** The program itself runs apart from this machine: its own files, processes, network. */
  isolated: boolean;
  /** What is left on this machine of destroyed environments, in words; empty when nothing is. */
  leftovers?: () => Promise<string[]>;
}

export function environmentCases(name: string, open: OpenForCase, can: EnvironmentAbilities): void {
  describe(`the environment ${name}`, () => {
    describe("when it runs a program", () => runCases(shared(open)));
    describe("with a shell", () => shellCases(shared(open)));
    describe("with a terminal", () => ptyCases(shared(open)));
    describe("when it copies files", () => fileCases(shared(open), open));
    describe("when it tracks its files", () => stateCases(open));
    describe("from opening to destroying", () => lifeCases(open, can));
  });
}

/** One environment for a group of cases that leave each other alone. */
function shared(open: OpenForCase): () => Environment {
  let environment: Environment | undefined;
  beforeAll(async () => {
    environment = await open();
  });
  afterAll(async () => {
    await environment?.destroy();
  });
  return () => {
    if (environment === undefined) throw new Error("no environment is open");
    return environment;
  };
}
