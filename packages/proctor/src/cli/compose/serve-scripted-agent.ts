// `proctor mock agent` with a script, a pack, or nothing but what messages say: served until it is told to stop.
import { ProctorError } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import { speakStdio, type Pipes } from "../../doubles/agent/speak-stdio.ts";
import { createAtpFace } from "../../doubles/scripted/atp-face.ts";
import type { CapturedRequest } from "../../doubles/scripted/captured-requests.ts";
import { readFault } from "../../doubles/scripted/faults/fault.ts";
import { loadScript } from "../../doubles/scripted/load-script.ts";
import { tckPack, type Pack } from "../../doubles/scripted/packs/tck.ts";
import { PROFILE_NAMES, type ProfileName } from "../../doubles/scripted/profiles.ts";
import type { ScriptFile } from "../../doubles/scripted/script-schema.ts";
import { PATCH_LEVELS } from "../../protocols/a2a/errors.ts";
import { codecs, startScriptedAgent } from "./start-scripted-agent.ts";

export type ScriptedAgentCall = CapturedRequest;

export interface ScriptedAgentReady {
  /** Addresses of the agent, as `--agent` takes them. */
  addresses: readonly string[];
  cardUrl: string;
  controlUrl: string;
  /** Names of the scripts. */
  scripts: readonly string[];
}

export interface ServeScriptedAgentOptions {
  /** Path of the script; without one, messages bring theirs. */
  path?: string;
  /** The file's name in problems. */
  displayName?: string;
  /** Values for `${NAME}` in the script, and settings of the packs. */
  env: Readonly<Record<string, string | undefined>>;
  packs: readonly string[];
  faults: readonly string[];
  seed?: number;
  profile?: string;
  patch?: string;
  port: number;
  grpcPort?: number;
  /** Streams over which one task of ATP is answered, instead of a socket. */
  stdio?: Pipes;
  onReady: (info: ScriptedAgentReady) => void;
  /** Called with every request before it is answered. */
  onCall: (call: ScriptedAgentCall) => Promise<void>;
  signal: AbortSignal;
}

const PACKS = { tck: tckPack };

/** Resolves to the exit code. */
export async function serveScriptedAgent(options: ServeScriptedAgentOptions): Promise<number> {
  const { path, displayName, env, stdio, signal, onReady, onCall } = options;
  const file =
    path === undefined
      ? undefined
      : await loadScript(path, codecs, { variables: env, displayName: displayName ?? path });
  const script = withPacks(
    file,
    options.packs.map((name) => packOf(name, env)),
  );
  const profile =
    options.profile === undefined
      ? undefined
      : oneOf<ProfileName>("--profile", options.profile, PROFILE_NAMES);
  const patch = options.patch === undefined ? undefined : oneOf("--patch", options.patch, PATCH_LEVELS);
  const { port, grpcPort, seed } = options;
  const started = await startScriptedAgent({
    port: stdio === undefined ? port : 0,
    script,
    faults: options.faults.map(readFault),
    ...(seed !== undefined && { seed }),
    ...(profile && { profile }),
    ...(patch && { patch }),
    ...(grpcPort !== undefined && { grpcPort }),
    onAnswer: onCall,
  });
  try {
    if (stdio !== undefined)
      return await speakStdio(createAtpFace(started.agent.services.main), stdio, signal);
    const { url, grpcUrl, agent } = started;
    onReady({
      addresses: [
        `a2a+${url}`,
        ...(grpcUrl === undefined ? [] : [`a2a+${grpcUrl}`]),
        `atp+${url}`,
        `atp+${url.replace(/^http/, "ws")}`,
      ],
      cardUrl: `${url}/.well-known/agent-card.json`,
      controlUrl: `${url}/__control`,
      scripts: agent.source.names(),
    });
    await whenAborted(signal);
    return 0;
  } finally {
    await started.close();
  }
}

function withPacks(file: ScriptFile | undefined, packs: readonly Pack[]): Partial<ScriptFile> {
  const fallback = file?.fallback ?? packs[0]?.fallback;
  return {
    ...file,
    rules: [...(file?.rules ?? []), ...packs.flatMap(({ rules }) => rules)],
    ...(fallback && { fallback }),
  };
}

function packOf(name: string, env: ServeScriptedAgentOptions["env"]): Pack {
  const seconds = Number(env["TCK_STREAMING_TIMEOUT"] ?? "");
  const load = PACKS[oneOf("--pack", name, Object.keys(PACKS) as (keyof typeof PACKS)[])];
  return load(seconds > 0 ? { streamingTimeoutMs: seconds * 1000 } : {});
}

function oneOf<T extends string>(flag: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  const hint = didYouMean(value, known, `there are: ${known.join(", ")}`);
  throw new ProctorError("USAGE", `${flag} does not know ${JSON.stringify(value.slice(0, 80))}\n${hint}`);
}
