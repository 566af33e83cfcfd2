// A scripted agent as a person or a test describes it: names of packs and profiles, words of faults, the path of a script.
import { ProctorError } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import type { CapturedRequest } from "../../doubles/scripted/captured-requests.ts";
import { readFault, type ScriptedFault } from "../../doubles/scripted/faults/fault.ts";
import { loadScript } from "../../doubles/scripted/load-script.ts";
import type { Pack } from "../../doubles/scripted/packs/pack.ts";
import { tck03Pack } from "../../doubles/scripted/packs/tck-0_3.ts";
import { tck100Pack } from "../../doubles/scripted/packs/tck-1_0_0.ts";
import { tckPack } from "../../doubles/scripted/packs/tck.ts";
import { PROFILE_NAMES } from "../../doubles/scripted/profiles.ts";
import type { ScriptFile } from "../../doubles/scripted/script-schema.ts";
import { PATCH_LEVELS } from "../../protocols/a2a/errors.ts";
import { codecs, startScriptedAgent, type StartedScriptedAgent } from "./start-scripted-agent.ts";

export interface ScriptedAgentOptions {
  /** Path of the script; without one, messages bring theirs. */
  script?: string;
  /** The script itself, where it comes from no file of its own. */
  recorded?: ScriptFile;
  /** The file's name in problems. */
  displayName?: string;
  /** Values for `${NAME}` in the script, and settings of the packs. */
  env: Readonly<Record<string, string | undefined>>;
  packs?: readonly string[];
  faults?: readonly string[];
  seed?: number;
  profile?: string;
  patch?: string;
  /** Port to listen on; any free one when absent or 0. */
  port?: number;
  grpcPort?: number;
  onAnswer?: (request: CapturedRequest) => Promise<void> | void;
  guard?: (request: Request) => Promise<Response | undefined>;
}

export interface OpenedScriptedAgent extends StartedScriptedAgent {
  /** Throws USAGE. */
  readFaults: (specs: readonly string[]) => ScriptedFault[];
}

const PACKS = { tck: tckPack, "tck-1.0.0": tck100Pack, "tck-0.3": tck03Pack };

/** Throws USAGE, SUITE_INVALID, FILE_UNREADABLE or CONFIG_INVALID. */
export async function openScriptedAgent(options: ScriptedAgentOptions): Promise<OpenedScriptedAgent> {
  const { script: path, recorded, displayName = path, env, port = 0, grpcPort, seed, onAnswer } = options;
  const file =
    path === undefined
      ? recorded
      : await loadScript(path, codecs, { variables: env, ...(displayName !== undefined && { displayName }) });
  const profile = oneOf("--profile", options.profile, PROFILE_NAMES);
  const packs = (options.packs ?? []).map((name) => packOf(name, env));
  const patch =
    oneOf("--patch", options.patch, PATCH_LEVELS) ?? packs.find((pack) => pack.patch !== undefined)?.patch;
  const readFaults = (specs: readonly string[]): ScriptedFault[] => specs.map(readFault);
  const started = await startScriptedAgent({
    port,
    script: withPacks(file, packs),
    faults: readFaults(options.faults ?? []),
    ...(seed !== undefined && { seed }),
    ...(profile && { profile }),
    ...(patch && { patch }),
    ...(grpcPort !== undefined && { grpcPort }),
    ...(packs.some(({ grpcAsUrl }) => grpcAsUrl) && { grpcAsUrl: true }),
    ...(onAnswer && { onAnswer }),
    ...(options.guard && { guard: options.guard }),
  });
  return { ...started, readFaults };
}

function withPacks(file: ScriptFile | undefined, packs: readonly Pack[]): Partial<ScriptFile> {
  const fallback = file?.fallback ?? packs[0]?.fallback;
  return {
    ...file,
    rules: [...(file?.rules ?? []), ...packs.flatMap(({ rules }) => rules)],
    ...(fallback && { fallback }),
  };
}

function packOf(name: string, env: ScriptedAgentOptions["env"]): Pack {
  const seconds = Number(env["TCK_STREAMING_TIMEOUT"] ?? "");
  // The names are the keys of the table.
  const known = Object.keys(PACKS) as (keyof typeof PACKS)[];
  const load = PACKS[oneOf("--pack", name, known) ?? "tck"];
  return load(seconds > 0 ? { streamingTimeoutMs: seconds * 1000 } : {});
}

function oneOf<T extends string>(
  flag: string,
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  const found = known.find((one) => one === value);
  if (value === undefined || found !== undefined) return found;
  const hint = didYouMean(value, known, `there are: ${known.join(", ")}`);
  throw new ProctorError("USAGE", `${flag} does not know ${JSON.stringify(value.slice(0, 80))}\n${hint}`);
}
