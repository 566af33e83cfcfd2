// `KEY=VALUE` arguments. `KEY` alone, where allowed, takes the value the caller's own environment has.
import { ProctorError } from "../../core/errors.ts";

/** Throws USAGE for anything that is not KEY=VALUE. */
export function parsePairs(flag: string, entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const [key, value] = split(entry);
      if (key === "" || value === undefined) {
        // Not the entry itself: with a forgotten key it is a secret.
        throw new ProctorError("USAGE", `${flag} takes KEY=VALUE\nfor example: ${flag} team=research`);
      }
      return [key, value];
    }),
  );
}

export function parseSecrets(
  flag: string,
  entries: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const [key, given] = split(entry);
      if (key === "") throw new ProctorError("USAGE", `${flag} takes KEY or KEY=VALUE`);
      const value = given ?? env[key];
      if (value === undefined) {
        throw new ProctorError(
          "USAGE",
          `${flag} ${key}: the variable is not set here\nset it (export ${key}=…), or give the value: ${flag} ${key}=…`,
        );
      }
      return [key, value];
    }),
  );
}

function split(entry: string): [key: string, value: string | undefined] {
  const at = entry.indexOf("=");
  return at === -1 ? [entry, undefined] : [entry.slice(0, at), entry.slice(at + 1)];
}
