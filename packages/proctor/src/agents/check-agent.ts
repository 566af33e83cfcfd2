// What an agent must have to be kept or run: a safe name, a protocol that a driver speaks, a place, sound options.
import { AGENT_NAME, type AgentSpec } from "../core/agent.ts";
import { ENVIRONMENT_KINDS } from "../core/environment.ts";
import { ProctorError } from "../core/errors.ts";
import type { DriverLookup } from "../core/ports/driver.ts";
import type { NewAgent } from "../core/ports/hub.ts";
import { refuseDeep } from "../core/refuse-deep.ts";
import type { Finding } from "../runtime/yaml/findings.ts";

export interface AgentChecks {
  drivers: DriverLookup;
  /** Returns what is wrong with an agent's options. */
  checkOptions: (spec: AgentSpec) => readonly Finding[];
}

/** Refuses a name that is not safe everywhere, and what `checkSpec` refuses. */
export function checkAgent(agent: NewAgent, checks: AgentChecks): NewAgent {
  refuseDeep(agent, "the agent");
  if (!AGENT_NAME.test(agent.name)) {
    throw new ProctorError(
      "INVALID_REQUEST",
      `"${agent.name}" cannot name an agent\n   use letters, digits, dot, dash and underscore, at most 128`,
      { details: [{ path: "name", message: "letters, digits, . _ - only" }] },
    );
  }
  return checkSpec(agent, checks);
}

/** Refuses an agent whose protocol no driver speaks or has other options, or that does not say where it is. */
export function checkSpec<T extends AgentSpec>(spec: T, { drivers, checkOptions }: AgentChecks): T {
  drivers(spec);
  if (
    spec.environment !== undefined &&
    !(ENVIRONMENT_KINDS as readonly string[]).includes(spec.environment)
  ) {
    const kinds = ENVIRONMENT_KINDS.join(", ");
    const message = `there is no environment "${spec.environment}"\n   there are: ${kinds}`;
    const details = [{ path: "agent.environment", message: `one of ${kinds}` }];
    throw new ProctorError("INVALID_REQUEST", message, { details });
  }
  const needsCommand = spec.transport === "stdio" || spec.transport === "builtin";
  if (needsCommand ? !spec.command?.[0] : !spec.url) {
    const field = needsCommand ? "command" : "url";
    throw new ProctorError("INVALID_REQUEST", `an agent over ${spec.transport} needs a ${field}`, {
      details: [{ path: `agent.${field}`, message: "required" }],
    });
  }
  const problems = checkOptions(spec);
  if (problems.length > 0) throw wrongOptions(problems);
  return spec;
}

function wrongOptions(problems: readonly Finding[]): ProctorError {
  const details = problems.map(({ path, message, hint }) => ({
    path: ["agent", "options", ...path].join("."),
    message: hint === undefined ? message : `${message}; ${hint}`,
  }));
  const lines = problems.map(({ message, hint }) =>
    hint === undefined ? message : `${message}\n   ${hint}`,
  );
  return new ProctorError("INVALID_REQUEST", `the agent's options: ${lines.join("\n")}`, { details });
}
