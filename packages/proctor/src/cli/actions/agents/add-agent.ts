// `proctor agents add`.
import { resolve } from "node:path";
import { parseAddress } from "../../../core/address.ts";
import { AGENT_NAME, type Agent } from "../../../core/agent.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { NewAgent } from "../../../core/ports/hub.ts";
import type { CliIo } from "../../cli-io.ts";
import type { AddAgentFlags } from "./flags.ts";
import { withHub, type CommandContext, type HubSession } from "../../compose/compose.ts";
import { createScreen, type Screen } from "../../terminal/screen.ts";
import { field } from "../../terminal/run-summary.ts";
import { oneLine } from "../../terminal/text.ts";
import { parsePairs, parseSecrets } from "../key-values.ts";
import { parseOptions } from "./parse-options.ts";
import { parseProfile } from "./parse-profile.ts";

interface AddAgentArguments {
  name: string;
  address: string;
  flags: AddAgentFlags;
}

export function addAgent(args: AddAgentArguments, context: CommandContext): Promise<number> {
  const { flags } = args;
  return withHub(context, flags, "write", async (session) => {
    const added = /^https?:/i.test(args.address)
      ? await addByUrl(args, session)
      : await session.hub.addAgent(buildAgent(args, context.io, session.onThisMachine), {
          replace: flags.replace === true,
        });
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(added);
    else screen.print(...renderAdded(added, screen));
    return 0;
  });
}

/** Registers the agent at a URL, which says itself what it speaks and what it can do. */
async function addByUrl(
  { name, address, flags }: AddAgentArguments,
  { platform }: HubSession,
): Promise<Agent> {
  const others = [
    flags.env,
    flags.header,
    flags.cwd,
    flags.option,
    flags.options,
    flags.clientEnv,
    flags.replace,
  ];
  if (others.some((value) => value !== undefined)) {
    throw new ProctorError(
      "USAGE",
      `an agent that is added by its URL alone takes no such flags\nput its protocol in front: a2a+${address}`,
    );
  }
  const { agent } = await platform.registry.register({ name, endpoint: address, ...parseProfile(flags) });
  return agent;
}

function buildAgent({ name, address, flags }: AddAgentArguments, io: CliIo, here: boolean): NewAgent {
  if (!AGENT_NAME.test(name)) {
    throw new ProctorError(
      "USAGE",
      `"${name}" cannot be a name\nuse letters, digits, dots, dashes and underscores, beginning with a letter or digit`,
    );
  }
  const spec = parseAddress(address);
  const env = parseSecrets("--env", flags.env ?? [], io.env);
  const headers = parsePairs("--header", flags.header ?? []);
  const options = parseOptions(flags);
  if (spec.command === undefined && (flags.cwd ?? flags.env ?? flags.clientEnv) !== undefined) {
    throw new ProctorError(
      "USAGE",
      "--cwd, --env and --client-env are for agents that are programs\nfor a server: --header KEY=VALUE",
    );
  }
  if (spec.command !== undefined && flags.header !== undefined) {
    throw new ProctorError(
      "USAGE",
      "--header is for agents that are servers\nfor a program: --env KEY=VALUE",
    );
  }
  return {
    ...spec,
    name,
    ...((spec.command !== undefined || spec.transport === "file") && directory(flags.cwd, io.cwd, here)),
    ...(flags.env !== undefined && { env }),
    ...(flags.header !== undefined && { headers }),
    ...(flags.clientEnv !== undefined && { client_env: flags.clientEnv }),
    ...(options && { options }),
    ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
    ...(flags.requires && { requires: flags.requires }),
    ...parseProfile(flags),
  };
}

/** A path means something on this machine only; for a hub elsewhere it is passed on as it was typed. */
function directory(given: string | undefined, cwd: string, here: boolean): { cwd?: string } {
  if (here) return { cwd: resolve(cwd, given ?? ".") };
  return given === undefined ? {} : { cwd: given };
}

function renderAdded(agent: Agent, { paint }: Screen): string[] {
  return [
    `${paint.green("✓")} added ${paint.bold(agent.name)}`,
    ...field("address", [oneLine(agent.address)], paint),
    ...field("directory", [agent.cwd ?? ""], paint),
    ...field("try", [`proctor run --agent ${agent.name} --task "Say hello"`], paint),
  ];
}
