// How much a script may use: what it gets when it asks for nothing, and what it may ask for at most.
import { DEFAULT_LIMITS } from "../core/environment.ts";
import { ProctorError } from "../core/errors.ts";
import type { NewScriptTool, ScriptLimits } from "../core/script-tool.ts";

const OUTPUT_BYTES = 1024 * 1024;

const SANDBOX = {
  usual: { time_ms: 1000, memory_mb: 32, output_bytes: OUTPUT_BYTES },
  most: { time_ms: 30_000, memory_mb: 256, output_bytes: OUTPUT_BYTES },
};
const PROGRAM = {
  usual: { time_ms: 10_000, memory_mb: DEFAULT_LIMITS.memory_mb, output_bytes: OUTPUT_BYTES },
  most: { time_ms: 300_000, memory_mb: 4096, output_bytes: OUTPUT_BYTES },
};

/** Throws INVALID_REQUEST when the tool asks for more than the maximum. */
export function limitsOf({
  language,
  limits = {},
}: Pick<NewScriptTool, "language" | "limits">): Required<ScriptLimits> {
  const { usual, most } = language === "javascript" ? SANDBOX : PROGRAM;
  for (const key of ["time_ms", "memory_mb", "output_bytes"] as const) {
    const asked = limits[key];
    if (asked === undefined || asked <= most[key]) continue;
    throw new ProctorError(
      "INVALID_REQUEST",
      `limits.${key} is ${asked}, and a ${language} tool gets at most ${most[key]}`,
      { details: [{ path: `limits.${key}`, message: `must be at most ${most[key]}` }] },
    );
  }
  return { ...usual, ...limits };
}
