// One entry of `agents:` in a suite or in proctor.yaml. Three ways to write it down, one spec out of it.
import { resolve } from "node:path";
import { z } from "zod";
import { parseAddress } from "../core/address.ts";
import { given } from "../core/given.ts";
import { isJsonObject } from "../core/json.ts";
import type { NewAgent } from "../core/ports/hub.ts";
import { cliForm, httpForm, otherForm } from "./agent-compat.ts";
import { agentParts } from "../runtime/schemas/agent-parts.ts";
import { agentProfile } from "../runtime/schemas/agent-profile.ts";
import { labelsSchema } from "../runtime/schemas/labels.ts";
import { addError, dispatch, refused } from "../runtime/yaml/findings.ts";
import { positiveInteger } from "../runtime/yaml/scalars.ts";

const common = {
  name: agentParts.name,
  env: agentParts.env.optional(),
  headers: agentParts.headers.optional(),
  cwd: agentParts.cwd.optional(),
  environment: z.string().min(1).optional(),
  client_env: z.array(z.string().min(1)).optional(),
  options: agentParts.options.optional(),
  concurrency: positiveInteger.optional(),
  requires: labelsSchema.optional(),
};

const longForm = (more: typeof agentProfile): z.ZodType<NewAgent> =>
  z
    .strictObject({
      ...common,
      ...more,
      protocol: z.string().min(1).default("atp"),
      transport: z.string().min(1).optional(),
      command: agentParts.command.optional(),
      url: agentParts.url.optional(),
      // An entry with an address has the other form. The key is known here, so that a misspelt one gets a suggestion.
      address: z.never().optional(),
    })
    .transform((entry, context): NewAgent => {
      const { transport, command, url, address: _, ...rest } = entry;
      if ((command === undefined) === (url === undefined)) {
        const both = command !== undefined;
        addError(
          context,
          both ? `give "command" or "url", not both` : `missing "command" or "url" (or "address")`,
        );
        return z.NEVER;
      }
      const implied = url === undefined ? "stdio" : new URL(url).protocol.slice(0, -1);
      if (transport !== undefined && transport !== implied) {
        const reason =
          url === undefined ? `with "command" the transport is stdio` : `with this "url" it is ${implied}`;
        addError(context, `"transport" is not needed, and wrong\n${reason}`, ["transport"]);
        return z.NEVER;
      }
      return given({ ...rest, transport: implied, command, url });
    });

const instead = (key: string): ReturnType<typeof refused> =>
  refused(
    `"${key}" is already said by "address"`,
    `remove "${key}", or write the long form without "address"`,
  );

const addressForm = (more: typeof agentProfile): z.ZodType<NewAgent> =>
  z
    .strictObject({
      ...common,
      ...more,
      address: z.string().min(1),
      protocol: instead("protocol"),
      transport: instead("transport"),
      command: instead("command"),
      url: instead("url"),
    })
    .transform(({ address, ...rest }, context): NewAgent => {
      try {
        return given({ ...rest, ...parseAddress(address) });
      } catch (error) {
        addError(context, error, ["address"]);
        return z.NEVER;
      }
    });

// Entries of tests have no profile, so its keys count as unknown.
export const agentEntry = createEntry({} as typeof agentProfile);

/** The entry of an agent that is registered, which also says what the agent is. */
export const registeredAgent = createEntry(agentProfile);

function createEntry(more: typeof agentProfile): z.ZodType<NewAgent> {
  const long = longForm(more);
  const short = addressForm(more);
  return dispatch<NewAgent>(
    (value) => {
      if (!isJsonObject(value)) return long;
      if ("type" in value || "config" in value) {
        if (value["type"] === "cli") return cliForm;
        return value["type"] === "http" ? httpForm : otherForm;
      }
      return "address" in value ? short : long;
    },
    { forms: () => [short, long, cliForm, httpForm] },
  );
}

/** Programs start in, and files are found from, the folder of the file that names them, unless the entry has a `cwd`. */
export function placeAgent(agent: NewAgent, folder: string): NewAgent {
  return agent.command || agent.transport === "file"
    ? { ...agent, cwd: resolve(folder, agent.cwd ?? ".") }
    : agent;
}
