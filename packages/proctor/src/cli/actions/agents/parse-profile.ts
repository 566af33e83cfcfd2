// What an agent says about itself, as flags: `--description`, `--capabilities`.
import { z } from "zod";
import type { AgentProfile } from "../../../core/agent-profile.ts";
import { ProctorError } from "../../../core/errors.ts";
import { given } from "../../../core/given.ts";
import type { Json } from "../../../core/json.ts";
import { parseJson } from "../../../core/parse-json.ts";
import { agentProfile } from "../../../runtime/schemas/agent-profile.ts";
import { checkValue } from "../../../runtime/yaml/findings.ts";
import type { AddAgentFlags } from "./flags.ts";

const EXAMPLE = `for example: --capabilities '[{"name": "summarise", "description": "Shortens a text"}]'`;

/** Throws USAGE. */
export function parseProfile({ description, capabilities }: AddAgentFlags): AgentProfile {
  const listed = capabilities === undefined ? undefined : listIn(capabilities);
  const read = checkValue(z.strictObject(agentProfile), given({ description, capabilities: listed }));
  if (read.ok) return read.value;
  throw wrong(read.findings.map(({ message }) => message).join("\n"));
}

function listIn(text: string): Json {
  try {
    return parseJson(text, "--capabilities");
  } catch (error) {
    if (ProctorError.is(error)) throw wrong(error.message);
    throw error;
  }
}

function wrong(what: string): ProctorError {
  return new ProctorError("USAGE", `${what}\n${EXAMPLE}`);
}
