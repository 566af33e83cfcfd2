// Which rules `proctor conform` tries: those of the agent's protocol, or with `--acts` tests in files, written for agents of A2A.
import type { AgentSpec } from "../../../core/agent.ts";
import { ProctorError } from "../../../core/errors.ts";
import { suggest } from "../../../core/suggest.ts";
import type { Conformance } from "../../../conformance/conformance.ts";
import type { CommandContext } from "../../compose/compose.ts";
import type { ConformFlags } from "./flags.ts";

export async function chooseConformance(
  spec: AgentSpec,
  { acts, profile }: Pick<ConformFlags, "acts" | "profile">,
  { composition, io }: CommandContext,
): Promise<Conformance> {
  if (acts === undefined) return composition.conformance(spec);
  if (spec.protocol !== "a2a") {
    throw new ProctorError(
      "USAGE",
      `--acts is for agents of A2A, and this one speaks ${spec.protocol}\ngive its address as a2a+http://…`,
    );
  }
  return composition.actsConformance(acts, { cwd: io.cwd, ...(profile !== undefined && { profile }) });
}

/** Throws USAGE for flags that mean nothing without `--acts`. */
export function checkActsFlags({ acts, profile, reporter = [] }: ConformFlags): void {
  if (acts !== undefined) return;
  const needs = (what: string): ProctorError =>
    new ProctorError("USAGE", `${what} needs --acts <path>\nit is about tests of ACTS, the kit of A2A`);
  if (profile !== undefined) throw needs("--profile");
  if (reporter.some((flag) => /^acts(=|$)/.test(flag))) throw needs("--reporter acts");
}

/** Returns the rules that the words choose. Words are whole names of rules, or the beginning of several: `atp.event`, `acts.CORE-SEND`. */
export function selectRules(words: readonly string[], { rules }: Conformance): string[] {
  const ids = rules.map(({ id }) => id);
  const groups = new Set(ids.map((id) => id.replace(/[.-][^.-]*$/, "")));
  return words.flatMap((word) => {
    const found = ids.filter(
      (id) => id === word || (id.startsWith(word) && /[.-]/.test(id[word.length] ?? "")),
    );
    if (found.length > 0) return found;
    const near = suggest(word, [...ids, ...groups]);
    const next = near === undefined ? "all of them: proctor docs conformance" : `did you mean "${near}"?`;
    throw new ProctorError("USAGE", `--only ${word}: there is no such rule\n${next}`);
  });
}
