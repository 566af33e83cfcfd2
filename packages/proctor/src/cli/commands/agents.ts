// `proctor agents`: the agents the hub knows by name.
import type { Command } from "commander";
import type { Execute, HubFlags } from "../context.ts";
import { addHubOptions, addJsonOption, collect, positiveInteger } from "../options.ts";

export interface ListFlags extends HubFlags {
  limit?: number;
  cursor?: string;
  json?: boolean;
}

export interface AddAgentFlags extends HubFlags {
  env?: string[];
  header?: string[];
  cwd?: string;
  clientEnv?: string[];
  concurrency?: number;
  replace?: boolean;
  json?: boolean;
}

export interface RemoveAgentFlags extends HubFlags {
  json?: boolean;
}

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
    .description("List the registered agents.")
    .option("--limit <n>", "at most n items", positiveInteger)
    .option("--cursor <cursor>", "continue where an earlier list ended");
  addJsonOption(command, "{items, next_cursor}");
  addHubOptions(command)
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
    .argument("<address>", "for example atp+stdio:<command line>")
    .option(
      "-e, --env <key[=value]>",
      "environment of its program; without a value, the one set here (repeatable)",
      collect,
    )
    .option("--header <key=value>", "header of every request to it (repeatable)", collect)
    .option("--cwd <dir>", "directory in which its program is started")
    .option(
      "--client-env <name>",
      "clients may set this variable, though it could make the program load code (repeatable)",
      collect,
    )
    .option("--concurrency <n>", "how many runs it takes at once", positiveInteger)
    .option("--replace", "replace an agent of that name");
  addJsonOption(command, "the agent");
  addHubOptions(command)
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
  addJsonOption(command, "{name, removed}");
  addHubOptions(command)
    .addHelpText("after", "\nExamples:\n  $ proctor agents remove writer")
    .action((name: string, flags: RemoveAgentFlags) =>
      execute(async (context) =>
        (await import("../actions/agents/remove-agent.ts")).removeAgent(name, flags, context),
      ),
    );
}
