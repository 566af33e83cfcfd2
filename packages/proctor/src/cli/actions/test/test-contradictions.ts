// Flags of `proctor test` that cannot be meant together.
import { ProctorError } from "../../../core/errors.ts";
import type { TestFlags } from "./flags.ts";

export function refuseContradictions(flags: TestFlags): void {
  refuseSingleTransport(flags);
  const given = (names: readonly (keyof TestFlags)[]): string[] =>
    names.filter((name) => flags[name] !== undefined).map(flagName);
  const sources = given(["resume", "rerunFailed", "rescore"]);
  if (sources.length > 1) throw usage(`${sources.join(" and ")} do not go together`, "choose one of them");
  if (flags.results !== undefined && sources.length === 0) {
    throw usage("--results says where from, and not what for", "add --resume, --rerun-failed or --rescore");
  }
  const calling = given(["cache", "record", "replay", "transports", "maxCost"]);
  if (flags.rescore === true && calling.length > 0) {
    throw usage(
      `--rescore calls no agent: it does not go with ${calling.join(", ")}`,
      "leave one of them out",
    );
  }
  const beside = given(["cache", "record"]);
  if (flags.replay !== undefined && beside.length > 0) {
    throw usage(`--replay calls no agent: it does not go with ${beside.join(", ")}`, "leave one of them out");
  }
}

/** Refuses to compare a single transport, because compared with itself everything agrees. */
function refuseSingleTransport({ transports, agent }: TestFlags): void {
  const next = 'for example --transports "atp+stdio:node agent.mjs,atp+http://localhost:8000"';
  if (transports !== undefined && new Set(transports).size < 2) {
    throw usage("--transports needs at least two different addresses", next);
  }
  if (transports !== undefined && agent !== undefined) {
    throw usage("--transports already says which agent: leave out --agent", next);
  }
}

function flagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function usage(what: string, next: string): ProctorError {
  return new ProctorError("USAGE", `${what}\n${next}`);
}
