// `proctor tools`: the hub's tools that are scripts.
import type { Command } from "commander";
import { ADD_TOOL_FLAGS, CALL_TOOL_FLAGS, LIST_TOOLS_FLAGS } from "../actions/tools/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

export function defineTools(program: Command, execute: Execute): void {
  const tools = program
    .command("tools")
    .summary("list, add, call and remove script tools")
    .description("List, add, call and remove tools that are scripts, which run in a sandbox.");
  defineCommand(tools, execute, {
    name: "list",
    summary: "list the script tools",
    flags: LIST_TOOLS_FLAGS,
    examples: ["proctor tools list", "proctor tools list --json"],
    action: async () => (await import("../actions/tools/list-tools.ts")).listTools,
  });
  defineCommand(tools, execute, {
    name: "add",
    summary: "register a script as a tool",
    arguments: [
      ["<name>", "letters, digits, dots, dashes and underscores"],
      ["<file>", "the script"],
    ],
    flags: ADD_TOOL_FLAGS,
    examples: [
      "proctor tools add slug slug.js --parameters slug.schema.json",
      `proctor tools add slug slug.js --parameters '{"type": "object"}' --replace`,
      "proctor tools add count count.py --parameters count.schema.json --time-ms 5000",
    ],
    note: `A .js file runs in the hub's own sandbox and defines \`function run(input)\`.
A .py or .sh file, and a .js file with --language node, is a program in an environment:
input is JSON on stdin, output the last JSON document on stdout.`,
    action: async () => {
      const { addTool } = await import("../actions/tools/add-tool.ts");
      return (name, file, flags, context) => addTool({ name, file, flags }, context);
    },
  });
  defineCommand(tools, execute, {
    name: "show",
    summary: "show a tool and its script",
    arguments: [["<name>", "the registered name"]],
    flags: documentFlags("the tool"),
    examples: ["proctor tools show slug"],
    action: async () => (await import("../actions/tools/show-tool.ts")).showTool,
  });
  defineCommand(tools, execute, {
    name: "call",
    summary: "call a tool",
    description: "Call a tool. Its output goes to stdout, its log to stderr.",
    arguments: [["<name>", "the registered name"]],
    flags: CALL_TOOL_FLAGS,
    examples: [`proctor tools call slug --input '{"text": "Hello World"}'`],
    action: async () => (await import("../actions/tools/call-tool.ts")).callTool,
  });
  defineCommand(tools, execute, {
    name: "remove",
    summary: "forget a tool",
    arguments: [["<name>", "the registered name"]],
    flags: documentFlags("{name, removed}"),
    examples: ["proctor tools remove slug"],
    action: async () => (await import("../actions/tools/list-tools.ts")).removeTool,
  });
}
