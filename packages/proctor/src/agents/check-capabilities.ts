// Refuses capabilities whose schemas cannot be applied, before anything relies on them.
import type { Capability } from "../core/agent-profile.ts";
import { ProctorError } from "../core/errors.ts";
import { threadCpuMs } from "../runtime/thread-cpu.ts";
import type { SchemaFits } from "../core/schema-fits.ts";

/** CPU milliseconds for all schemas of one agent: the hub does nothing else meanwhile. */
const LIMIT_MS = 2000;

/** Throws an INVALID_REQUEST that names the schema. */
export function checkCapabilities(capabilities: readonly Capability[], fits: SchemaFits): void {
  const startedAt = threadCpuMs();
  for (const [index, { name, parameters, returns }] of capabilities.entries()) {
    for (const [field, schema] of Object.entries({ parameters, returns })) {
      if (schema === undefined) continue;
      const path = `capabilities.${index}.${field}`;
      const problem = fits.problemOf(schema);
      if (problem !== undefined)
        throw refused(path, `the ${field} of "${name}" are no JSON Schema that can be applied: ${problem}`);
      if (threadCpuMs() - startedAt > LIMIT_MS)
        throw refused(path, "the schemas of this agent take too long to compile");
    }
  }
}

function refused(path: string, message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", message, { details: [{ path, message }] });
}
