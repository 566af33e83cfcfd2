// `proctor agents`: the agents the hub knows by name.
import type { Command } from "commander";
import {
  LIST_FLAGS,
  ADD_AGENT_FLAGS,
  REMOVE_AGENT_FLAGS,
  type AddAgentFlags,
  type ListFlags,
  type RemoveAgentFlags,
} from "../actions/agents/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { addFlags } from "../flags.ts";

const ADD_EXAMPLES = `
Examples:
  $ proctor agents add writer "atp+stdio:python writer.py" --env OPENAI_API_KEY
  $ proctor agents add remote "atp+stdio:node agent.mjs" --concurrency 2
  $ proctor agents add writer "atp+stdio:node writer.js" --cwd ./agents --replace

On this machine a program is started in the current directory unless --cwd names another.
Values of --env and --header are secrets: they are sealed when stored and never shown.`;

export function defineAgents(program: Command, execute: Execute): void {
  const agents = program
    .command("agents")
    .summary("list, add and remove agents")
    .description("List, add and remove the agents the hub knows by name.");
  defineList(agents, execute);
  defineAdd(agents, execute);
  defineRemove(agents, execute);
}

function defineList(agents: Command, execute: Execute): void {
  const command = agents
    .command("list")
    .summary("list the registered agents")
    .description("List the registered agents.");
  addFlags(command, LIST_FLAGS)
    .addHelpText("after", "\nExamples:\n  $ proctor agents list\n  $ proctor agents list --json")
    .action((flags: ListFlags) =>
      execute(async (context) =>
        (await import("../actions/agents/list-agents.ts")).listAgents(flags, context),
      ),
    );
}

function defineAdd(agents: Command, execute: Execute): void {
  const command = agents
    .command("add")
    .summary("register an agent under a name")
    .description("Register an agent under a name.")
    .argument("<name>", "letters, digits, dots, dashes and underscores")
    .argument("<address>", "for example atp+stdio:<command line>");
  addFlags(command, ADD_AGENT_FLAGS)
    .addHelpText("after", ADD_EXAMPLES)
    .action((name: string, address: string, flags: AddAgentFlags) =>
      execute(async (context) =>
        (await import("../actions/agents/add-agent.ts")).addAgent({ name, address, flags }, context),
      ),
    );
}

function defineRemove(agents: Command, execute: Execute): void {
  const command = agents
    .command("remove")
    .summary("forget an agent")
    .description("Forget an agent. Its runs stay.")
    .argument("<name>", "the registered name");
  addFlags(command, REMOVE_AGENT_FLAGS)
    .addHelpText("after", "\nExamples:\n  $ proctor agents remove writer")
    .action((name: string, flags: RemoveAgentFlags) =>
      execute(async (context) =>
        (await import("../actions/agents/remove-agent.ts")).removeAgent(name, flags, context),
      ),
    );
}
