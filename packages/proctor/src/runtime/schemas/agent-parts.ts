// The pieces that all ways of writing an agent down share.
import { z } from "zod";
import { AGENT_NAME } from "../../core/agent.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseAddress } from "../../core/address.ts";
import { parseCommandLine } from "../../core/command-line.ts";
import { addError } from "../yaml/findings.ts";
import { json } from "../yaml/scalars.ts";

const EXAMPLE = "write it like http://host:port/path";

const name = z
  .string()
  .regex(AGENT_NAME, "an agent's name is made of letters, digits, dot, dash and underscore (at most 128)");

const env = z.record(
  z.string().regex(/^[^=\0]+$/, "the name of an environment variable is not empty and has no ="),
  z.string(),
);

const headers = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "this is no name of an HTTP header"),
  z.string().regex(/^[^\r\n\0]*$/, "the value of an HTTP header is one line"),
);

/** A command line: a list is used unchanged; text is split as a shell splits it, without running a shell. */
const command = z.union([z.string(), z.array(z.string())]).transform((value, context): string[] => {
  try {
    const words = typeof value === "string" ? parseCommandLine(value) : value;
    if (words.some((word) => word.includes("\0"))) throw new Error(`"command" holds a NUL character`);
    if (words[0]) return words;
    throw new Error(`"command" must name a program`);
  } catch (error) {
    addError(context, error);
    return z.NEVER;
  }
});

/** Any URL that an address may contain. */
const url = z.string().superRefine((value, context) => {
  try {
    parseAddress(`any+${value}`);
  } catch (error) {
    const hint =
      error instanceof Error && error.message.includes("password") ? "put credentials into headers" : EXAMPLE;
    addError(context, new Error(`"url" is not valid here\n${hint}`));
  }
});

const cwd = z.string().min(1);

/** Options of the agent's protocol, which checks them itself. */
const options: z.ZodType<JsonObject> = z.record(z.string(), json);

export const agentParts = { name, env, headers, command, url, cwd, options };
