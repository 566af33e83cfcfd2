// What the protocol's schema asks of an artifact. Agents in plain JavaScript have no compiler to tell them.
import { isObject } from "../protocol/json.ts";
import type { Artifact } from "../protocol/messages.ts";

const REQUIRED = { file: ["path"], structured: ["name", "data"], reference: ["path"] } as const;
const TEXTS = ["path", "name", "schema", "content_type", "content_hash", "content", "content_encoding"];

/** Throws a TypeError that says which artifact is wrong and how. */
export function checkArtifact(value: unknown, index: number): Artifact {
  const fail = (message: string): never => {
    throw new TypeError(`artifacts[${index}] ${message}`);
  };
  if (!isObject(value)) return fail("must be an object");
  const { type } = value;
  if (type !== "file" && type !== "structured" && type !== "reference") {
    return fail('must have a type: "file", "structured" or "reference"');
  }
  for (const name of REQUIRED[type])
    if (value[name] === undefined) fail(`of type ${type} must have a ${name}`);
  for (const name of TEXTS) {
    if (value[name] !== undefined && typeof value[name] !== "string")
      fail(`must have a ${name} that is a string`);
  }
  if (value["size_bytes"] !== undefined && !Number.isInteger(value["size_bytes"])) {
    fail("must have a size_bytes that is a whole number");
  }
  if (type === "structured" && !isObject(value["data"]))
    fail("of type structured must have data that is an object");
  // Every field of the type was checked above.
  return value as unknown as Artifact;
}
