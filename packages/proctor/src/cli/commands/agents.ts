// `proctor agents`: the agents the hub knows by name.
import type { Command } from "commander";
import { ADD_AGENT_FLAGS, LIST_FLAGS, SEARCH_FLAGS, WATCH_FLAGS } from "../actions/agents/flags.ts";
import type { AgentCommand } from "../../core/registration.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

export function defineAgents(program: Command, execute: Execute): void {
  const agents = program
    .command("agents")
    .summary("list, find, add, watch and steer agents")
    .description("The agents that the hub knows by name: who they are, how they are, what they can do.");
  defineCommand(agents, execute, {
    name: "list",
    summary: "list the registered agents",
    flags: LIST_FLAGS,
    examples: ["proctor agents list", "proctor agents list --state online --capability summarise"],
    action: async () => (await import("../actions/agents/list-agents.ts")).listAgents,
  });
  defineCommand(agents, execute, {
    name: "add",
    summary: "register an agent under a name",
    arguments: [
      ["<name>", "letters, digits, dots, dashes and underscores"],
      ["<address>", "for example atp+stdio:<command line>; a plain URL is asked what it is"],
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
    flags: documentFlags("{name, removed}"),
    examples: ["proctor agents remove writer"],
    action: async () => (await import("../actions/agents/change-agent.ts")).removeAgent,
  });
  defineCommand(agents, execute, {
    name: "show",
    summary: "show an agent, its health and its history",
    arguments: [["<name>", "the registered name"]],
    flags: documentFlags("{agent, history}"),
    examples: ["proctor agents show writer"],
    action: async () => (await import("../actions/agents/show-agent.ts")).showAgent,
  });
  defineCommand(agents, execute, {
    name: "search",
    summary: "find agents that can do something",
    description: "Find agents that can do something, and why others cannot. Exits with 1 when there is none.",
    arguments: [["<capability>", "the name of the capability"]],
    flags: SEARCH_FLAGS,
    examples: [
      "proctor agents search summarise",
      `proctor agents search summarise --input '{"text": "Once upon a time"}' --label team=docs`,
    ],
    action: async () => (await import("../actions/agents/search-agents.ts")).searchAgents,
  });
  defineCommand(agents, execute, {
    name: "watch",
    summary: "follow what happens to agents",
    description: "Follow what happens to agents, until Ctrl-C.",
    flags: WATCH_FLAGS,
    examples: ["proctor agents watch"],
    action: async () => (await import("../actions/agents/watch-agents.ts")).watchAgents,
  });
  defineSteering(agents, execute, "drain", "tell an agent to take no more work");
  defineSteering(agents, execute, "stop", "tell an agent to end");
  defineSteering(agents, execute, "resume", "tell an agent to take work again");
}

function defineSteering(agents: Command, execute: Execute, command: AgentCommand, summary: string): void {
  defineCommand(agents, execute, {
    name: command,
    summary,
    arguments: [["<name>", "the registered name"]],
    flags: documentFlags("the agent"),
    examples: [`proctor agents ${command} writer`],
    note: "The agent hears of it with the answer to its next beat. Searches leave it out until it resumes.",
    action: async () => {
      const { commandAgent } = await import("../actions/agents/change-agent.ts");
      return (name, flags, context) => commandAgent(command, name, flags, context);
    },
  });
}
