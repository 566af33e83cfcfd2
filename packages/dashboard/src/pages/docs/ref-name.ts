// The name of the schema that a schema refers to.
import type { Schema } from "./reference.ts";

/** Returns undefined where it refers to none. */
export function refName({ $ref }: Schema): string | undefined {
  return typeof $ref === "string" ? $ref.slice($ref.lastIndexOf("/") + 1) : undefined;
}
