// `proctor agents`: the agents the hub knows by name.
import type { Command } from "commander";
import { LIST_FLAGS, ADD_AGENT_FLAGS, REMOVE_AGENT_FLAGS } from "../actions/agents/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

export function defineAgents(program: Command, execute: Execute): void {
  const agents = program
    .command("agents")
    .summary("list, add and remove agents")
    .description("List, add and remove the agents the hub knows by name.");
  defineCommand(agents, execute, {
    name: "list",
    summary: "list the registered agents",
    flags: LIST_FLAGS,
    examples: ["proctor agents list", "proctor agents list --json"],
    action: async () => (await import("../actions/agents/list-agents.ts")).listAgents,
  });
  defineCommand(agents, execute, {
    name: "add",
    summary: "register an agent under a name",
    arguments: [
      ["<name>", "letters, digits, dots, dashes and underscores"],
      ["<address>", "for example atp+stdio:<command line>"],
    ],
    flags: ADD_AGENT_FLAGS,
    examples: [
      'proctor agents add writer "atp+stdio:python writer.py" --env OPENAI_API_KEY',
      'proctor agents add remote "atp+stdio:node agent.mjs" --concurrency 2',
      'proctor agents add writer "atp+stdio:node writer.js" --cwd ./agents --replace',
    ],
    note: `On this machine a program is started in the current directory unless --cwd names another.
Values of --env and --header are secrets: they are sealed when stored and never shown.`,
    action: async () => {
      const { addAgent } = await import("../actions/agents/add-agent.ts");
      return (name, address, flags, context) => addAgent({ name, address, flags }, context);
    },
  });
  defineCommand(agents, execute, {
    name: "remove",
    summary: "forget an agent",
    description: "Forget an agent. Its runs stay.",
    arguments: [["<name>", "the registered name"]],
    flags: REMOVE_AGENT_FLAGS,
    examples: ["proctor agents remove writer"],
    action: async () => (await import("../actions/agents/remove-agent.ts")).removeAgent,
  });
}
