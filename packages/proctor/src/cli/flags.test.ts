import { Command } from "commander";
import { expect, expectTypeOf, test } from "vitest";
import type { CommandContext, Execute } from "./compose/compose.ts";
import { defineCommand } from "./commands/define-command.ts";
import { choice, flag, list, orElse, positiveInteger, type FlagsOf } from "./flags.ts";

const FLAGS = [
  flag("-a, --allow-all-tools", "on or off"),
  flag("--name <text>", "a text"),
  flag("--max-steps <n>", "a number", positiveInteger),
  list("--allow-tool <name>", "several texts"),
  choice("--mode <mode>", "one of two", ["fast", "slow"]),
  orElse(flag("-p, --port <number>", "a number that is always there", positiveInteger), 8080),
] as const;

async function parse(...argv: string[]): Promise<FlagsOf<typeof FLAGS>> {
  let given: FlagsOf<typeof FLAGS> | undefined;
  const program = new Command("x").exitOverride().configureOutput({ outputError: () => {} });
  const execute: Execute = async (action) => void (await action({} as CommandContext));
  const action = async () => async (flags: FlagsOf<typeof FLAGS>) => {
    given = flags;
    return 0;
  };
  defineCommand(program, execute, { name: "do", summary: "do it", flags: FLAGS, action });
  await program.parseAsync(["do", ...argv], { from: "user" });
  if (!given) throw new Error("the action was not called");
  return given;
}

test("flags arrive under the names and with the types that the list of flags gives them", async () => {
  const words = ["-a", "--name", "x", "--max-steps", "3", "--allow-tool", "b", "--allow-tool", "c"];
  const flags = await parse(...words, "--mode", "slow");

  expect(flags).toEqual({
    allowAllTools: true,
    name: "x",
    maxSteps: 3,
    allowTool: ["b", "c"],
    mode: "slow",
    port: 8080,
  });
  expectTypeOf(flags.allowAllTools).toEqualTypeOf<boolean | undefined>();
  expectTypeOf(flags.name).toEqualTypeOf<string | undefined>();
  expectTypeOf(flags.maxSteps).toEqualTypeOf<number | undefined>();
  expectTypeOf(flags.allowTool).toEqualTypeOf<string[] | undefined>();
  expectTypeOf(flags.mode).toEqualTypeOf<"fast" | "slow" | undefined>();
  expectTypeOf(flags.port).toEqualTypeOf<number>();
});

test("flags that were not given are absent, except those with a default", async () => {
  expect(await parse()).toEqual({ port: 8080 });
});

test("flags with a value outside their choices are refused", async () => {
  await expect(parse("--mode", "medium")).rejects.toThrow("Allowed choices are fast, slow");
});

test("a list of flags can be given to several commands without mixing their values", async () => {
  await parse("--allow-tool", "first");

  expect((await parse("--allow-tool", "second")).allowTool).toEqual(["second"]);
});
