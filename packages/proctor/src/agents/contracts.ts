// Checks inputs and outputs against what agents promised of their capabilities.
import type { Capability } from "../core/agent-profile.ts";
import { ProctorError } from "../core/errors.ts";
import type { Capabilities } from "../core/ports/capabilities.ts";
import { suggest } from "../core/suggest.ts";
import type { Entry } from "./entry.ts";
import type { SchemaFits } from "../core/schema-fits.ts";
import { capabilityOf } from "./search.ts";

interface ContractsDeps {
  ready: () => Promise<void>;
  find: (name: string) => Entry | undefined;
  fits: SchemaFits;
}

export function createContracts({ ready, find, fits }: ContractsDeps): Capabilities {
  async function promised(agent: string, name: string): Promise<Capability | undefined> {
    await ready();
    const entry = find(agent);
    return entry && capabilityOf(entry, name);
  }

  return {
    async checkInput(agent, name, input) {
      const capability = await promised(agent, name);
      if (capability === undefined) throw unknown(agent, name, find(agent));
      const wrong = capability.parameters && fits.departure(capability.parameters, input);
      if (wrong === undefined) return;
      throw refused(
        "task.input_data",
        `the input does not fit the capability "${name}" of ${agent}: ${wrong}`,
      );
    },
    async checkOutput(agent, name, output) {
      const capability = await promised(agent, name);
      if (capability?.returns === undefined) return undefined;
      const wrong =
        output === undefined ? "there is no structured output" : fits.departure(capability.returns, output);
      if (wrong === undefined) return undefined;
      const message = `the output does not fit what the capability "${name}" returns: ${wrong}`;
      return { message, policy: capability.on_mismatch ?? "violation" };
    },
  };
}

function unknown(agent: string, name: string, entry: Entry | undefined): ProctorError {
  const names = entry?.agent.capabilities?.map((capability) => capability.name) ?? [];
  const near = suggest(name, names);
  const next = near === undefined ? "see: proctor agents search" : `did you mean "${near}"?`;
  return refused("options.capability", `${agent} has no capability "${name}"\n   ${next}`);
}

function refused(path: string, message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", message, { details: [{ path, message }] });
}
