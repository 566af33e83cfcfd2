// Checks inputs and outputs against the schemas of agents and tools, limited in CPU time: the hub does nothing else meanwhile.
import { createSchemaFits, type SchemaFits, type SchemaFitsOptions } from "../../core/schema-fits.ts";
import { compileSchema } from "../../suites/json/json-schema.ts";

/** Milliseconds of CPU time for compiling a schema. */
const COMPILE_LIMIT_MS = 500;
const CHECK_LIMIT_MS = 100;

export function openSchemaFits(options?: SchemaFitsOptions): SchemaFits {
  return createSchemaFits((schema) => {
    const check = compileSchema(schema, COMPILE_LIMIT_MS, CHECK_LIMIT_MS);
    return (value) => check(value)?.message;
  }, options);
}
