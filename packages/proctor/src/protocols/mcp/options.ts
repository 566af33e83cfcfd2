// The options of an MCP server as an agent: which tool a run calls that names no capability, and with what.
import { z } from "zod";
import type { JsonObject } from "../../core/json.ts";
import { checkValue, type Finding } from "../../runtime/yaml/findings.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { mistypedPlaceholders } from "../placeholders.ts";

const mcpOptions = z
  .strictObject({
    tool: z.string().min(1).max(1000).optional(),
    arguments: z.record(z.string(), json).optional(),
  })
  .refine(({ tool, arguments: given }) => tool !== undefined || given === undefined, {
    message: `"arguments" are for the tool that "tool" names`,
    path: ["arguments"],
  });

export type McpOptions = z.infer<typeof mcpOptions>;

export function readMcpOptions(
  options: JsonObject,
): { ok: true; value: McpOptions } | { ok: false; findings: readonly Finding[] } {
  const checked = checkValue(mcpOptions, options, `"options"`);
  if (!checked.ok) return checked;
  const findings = mistypedPlaceholders(options["arguments"], ["arguments"]);
  return findings.length === 0 ? checked : { ok: false, findings };
}

export function checkMcpOptions(options: JsonObject): readonly Finding[] {
  const checked = readMcpOptions(options);
  return checked.ok ? [] : checked.findings;
}
