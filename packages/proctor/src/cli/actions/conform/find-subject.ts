// What `proctor conform` tries, and by which rules: an agent, a client that is to meet ours, or a gateway between the two.
import { resolve } from "node:path";
import { isAddress, parseAddress } from "../../../core/address.ts";
import { AGENT_NAME, MASK, type AgentSpec } from "../../../core/agent.ts";
import { parseCommandLine } from "../../../core/command-line.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { Conformance } from "../../../conformance/conformance.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { parsePairs } from "../key-values.ts";
import { chooseConformance } from "./choose-conformance.ts";
import { findGateway } from "./find-gateway.ts";
import type { ConformFlags } from "./flags.ts";

export interface Subject {
  /** The agent, client or gateway as it was given. */
  agent: string;
  spec: AgentSpec;
  conformance: Conformance;
}

const NOT_FOR = {
  client: ["task", "header", "acts"],
  gateway: ["task", "acts", "asAgent"],
} as const;

/** Throws USAGE for flags that do not fit. */
export async function findSubject(
  named: string | undefined,
  flags: ConformFlags,
  context: CommandContext,
): Promise<Subject> {
  const { composition, io } = context;
  if (flags.gateway !== undefined) {
    refuseFlags("gateway", flags);
    if (named !== undefined) {
      throw new ProctorError("USAGE", `--gateway takes no agent: ${named}\nProctor is the agent behind it`);
    }
    return findGateway(flags.gateway, flags, context);
  }
  for (const name of ["upstream", "start"] as const) {
    if (flags[name] !== undefined) throw new ProctorError("USAGE", `--${name} needs --gateway <url>`);
  }
  if (named === undefined) {
    throw new ProctorError("USAGE", "the agent is missing\ngive its address or name, or --gateway <url>");
  }
  if (flags.asAgent === undefined) {
    const spec = await findAgent(named, flags, context);
    return { agent: named, spec, conformance: await chooseConformance(spec, flags, context) };
  }
  refuseFlags("client", flags);
  const spec = { protocol: flags.asAgent, transport: "client", command: parseCommandLine(named, 1) };
  return {
    agent: named,
    spec,
    conformance: await composition.clientConformance({ cwd: io.cwd, env: io.env }),
  };
}

function refuseFlags(role: keyof typeof NOT_FOR, flags: ConformFlags): void {
  for (const name of NOT_FOR[role]) {
    if (flags[name] === undefined) continue;
    const spelled = name === "asAgent" ? "as-agent" : name;
    const whose = name === "asAgent" ? "clients" : "agents";
    throw new ProctorError("USAGE", `--${spelled} is for ${whose}, not for ${role}s\nleave it out`);
  }
}

/** A program given by address is started by this process, in the directory where it was typed. */
async function findAgent(agent: string, flags: ConformFlags, context: CommandContext): Promise<AgentSpec> {
  const given = parsePairs("--header", flags.header ?? []);
  const spec =
    isAddress(agent) || !AGENT_NAME.test(agent)
      ? parseAddress(agent)
      : await registered(agent, Object.keys(given), flags, context);
  return {
    ...spec,
    ...(spec.command !== undefined && { cwd: resolve(context.io.cwd, spec.cwd ?? "") }),
    ...((spec.headers ?? flags.header) && { headers: { ...spec.headers, ...given } }),
  };
}

/** A hub never gives its agents' secrets away, so they have to be given again. */
async function registered(
  name: string,
  headers: readonly string[],
  flags: ConformFlags,
  context: CommandContext,
): Promise<AgentSpec> {
  return withHub(context, flags, "read", async ({ hub }) => {
    const {
      name: _,
      address: __,
      created_at: ___,
      env = {},
      headers: sealed = {},
      ...spec
    } = await hub.agent(name);
    const names = (flags.env ?? []).map((entry) => entry.split("=")[0]);
    const lacking = [
      ...unknownValues(env, names).map((key) => `--env ${key}`),
      ...unknownValues(sealed, headers).map((key) => `--header ${key}=…`),
    ];
    if (lacking.length === 0) return spec;
    throw new ProctorError(
      "USAGE",
      `agent "${name}" has values that only its hub knows\ngive them here, too: ${lacking.join(" ")}`,
    );
  });
}

function unknownValues(values: Record<string, string>, given: readonly (string | undefined)[]): string[] {
  return Object.keys(values).filter((key) => values[key] === MASK && !given.includes(key));
}
