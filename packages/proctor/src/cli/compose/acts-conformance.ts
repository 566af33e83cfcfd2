// The tests of ACTS in a folder or a file, as rules of conformance.
import type { Conformance } from "../../conformance/conformance.ts";
import { ProctorError } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import { createActsConformance } from "../../protocols/a2a/acts/acts.ts";
import { PASSES } from "../../protocols/a2a/acts/preconditions.ts";
import { readActs } from "../../protocols/a2a/acts/read-acts.ts";

/** Throws SUITE_INVALID or FILE_UNREADABLE for the files, USAGE for a profile that does not exist. */
export async function actsConformance(
  path: string,
  { cwd, profile: named }: { cwd: string; profile?: string },
): Promise<Conformance> {
  const profile = PASSES.find((known) => known === named);
  if (named !== undefined && profile === undefined) {
    const next = didYouMean(named, PASSES, `there are ${PASSES.join(", ")}`);
    throw new ProctorError("USAGE", `--profile ${named}: there is no such profile\n${next}`);
  }
  const acts = await readActs(path, cwd);
  return createActsConformance(acts, { ...(profile !== undefined && { profile }) });
}
