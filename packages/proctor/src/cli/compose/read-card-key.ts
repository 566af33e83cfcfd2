// The key that signs the cards of a hub's agents, from the file that the configuration names.
import { readFile } from "node:fs/promises";
import { ProctorError } from "../../core/errors.ts";
import { messageOf } from "../../core/message-of.ts";
import type { SigningKey } from "../../protocols/a2a/card/read-signing-key.ts";

/** Throws CONFIG_INVALID. */
export async function readCardKey(file: string): Promise<SigningKey> {
  const { readSigningKey } = await import("../../protocols/a2a/card/read-signing-key.ts");
  try {
    return await readSigningKey(await readFile(file, "utf8"));
  } catch (cause) {
    throw new ProctorError(
      "CONFIG_INVALID",
      `the key for cards cannot be read from ${file}: ${messageOf(cause)}\n--card-key (PROCTOR_CARD_KEY) names a file with a private key`,
      { cause },
    );
  }
}
