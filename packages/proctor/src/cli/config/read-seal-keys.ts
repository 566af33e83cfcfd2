// The keys that secrets are sealed with, where the configuration has them: in the environment, or in a file that it names.
import { readFile } from "node:fs/promises";
import { messageOf } from "../../core/message-of.ts";
import { KEY_BYTES, readKey } from "../../runtime/read-key.ts";

interface SealKeySources {
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the file with the keys, where one is named. */
  keyFile: string | undefined;
}

const MAKE_ONE = "make one with: openssl rand -base64 32";

/**
 * Resolves with the key to seal with, then older ones that only open; undefined where the data directory has its own. What is wrong is added to
 * `problems`, which never show a key.
 */
export async function readSealKeys(
  { env, keyFile }: SealKeySources,
  problems: string[],
): Promise<readonly Buffer[] | undefined> {
  const given = env["SEAL_KEY"] || undefined;
  if (given !== undefined) return parse(given, "SEAL_KEY ", problems);
  if (keyFile === undefined) return undefined;
  try {
    return parse(await readFile(keyFile, "latin1"), `the seal key file ${keyFile}`, problems);
  } catch (error) {
    problems.push(`the seal key file ${keyFile} cannot be read: ${messageOf(error)}\n   ${MAKE_ONE}`);
    return undefined;
  }
}

function parse(text: string, source: string, problems: string[]): readonly Buffer[] | undefined {
  const parts = text.split(/[,\n]/).map((part) => part.trim());
  const keys = parts.filter((part) => part !== "").map((part) => readKey(part));
  const whole = keys.filter((key) => key !== undefined);
  if (whole.length > 0 && whole.length === keys.length) return whole;
  const which = keys.length > 1 ? "every key" : "the key";
  problems.push(`${source} ${which} must be ${KEY_BYTES} bytes, as base64 or hex\n   ${MAKE_ONE}`);
  return undefined;
}
