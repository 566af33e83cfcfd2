// The model that agents reach through the hub: its address, name and prices from the environment or proctor.yaml, its key from the
// environment only.
import { resolve } from "node:path";
import type { ConfigFile } from "./config-file.ts";
import { modelUrlParser } from "./read-judge.ts";

export interface LlmConfig {
  /** The real model. When absent, a mock answers. */
  upstream?: LlmUpstream;
  /** Prices by model, in US dollars for a million tokens. */
  prices?: Record<string, LlmPrice>;
  /** Path of the mock's script. When absent, a built-in script is used. */
  script?: string;
}

interface LlmUpstream {
  url: string;
  apiKey?: string;
  provider: string;
  defaultModel: string;
  models?: string[];
}

interface LlmPrice {
  input: number;
  output: number;
}

interface LlmSources {
  cwd: string;
  /** Directory of the configuration file, to which its paths are relative. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  file: Pick<
    ConfigFile,
    "llm_url" | "llm_model" | "llm_provider" | "llm_models" | "llm_prices" | "llm_script"
  >;
}

export const parseLlmUrl = modelUrlParser("PROCTOR_LLM_KEY");

/** Returns undefined when nothing is configured, or when something is wrong, which is added to `problems`. Never shows the key. */
export function readLlm(sources: LlmSources, problems: string[]): LlmConfig | undefined {
  const { cwd, folder, env, file } = sources;
  const known = problems.length;
  const script = env["PROCTOR_LLM_SCRIPT"]
    ? resolve(cwd, env["PROCTOR_LLM_SCRIPT"])
    : file.llm_script && resolve(folder, file.llm_script);
  const upstream = readUpstream(sources, problems);
  if (upstream !== undefined && script !== undefined) {
    problems.push(
      "PROCTOR_LLM_SCRIPT  a script is for the mock, and there is a real model at PROCTOR_LLM_URL\n   set PROCTOR_LLM_URL (llm_url in proctor.yaml) or PROCTOR_LLM_SCRIPT (llm_script), not both",
    );
  }
  const prices = file.llm_prices;
  if (problems.length > known || (upstream ?? script ?? prices) === undefined) return undefined;
  return {
    ...(upstream && { upstream }),
    ...(prices !== undefined && { prices }),
    ...(script !== undefined && { script }),
  };
}

function readUpstream({ env, file }: LlmSources, problems: string[]): LlmUpstream | undefined {
  // A variable that is set to nothing is not set.
  const given = env["PROCTOR_LLM_URL"] || undefined;
  const url = given ?? file.llm_url;
  const model = env["PROCTOR_LLM_MODEL"] || file.llm_model;
  const provider = env["PROCTOR_LLM_PROVIDER"] || file.llm_provider;
  const apiKey = env["PROCTOR_LLM_KEY"] || undefined;
  const { llm_models: models } = file;
  if (url === undefined) {
    // An error is better than a mock in place of the model that was meant.
    if ((model ?? provider ?? models) !== undefined) {
      problems.push(
        "PROCTOR_LLM_URL  is missing: the model for agents is described, and has no address\n   set PROCTOR_LLM_URL (llm_url in proctor.yaml), or leave out PROCTOR_LLM_MODEL, PROCTOR_LLM_PROVIDER and llm_models",
      );
    }
    return undefined;
  }
  const parsed = parseLlmUrl(url);
  if (!parsed.ok && given !== undefined) problems.push(`PROCTOR_LLM_URL  ${parsed.message}`);
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    problems.push("PROCTOR_LLM_KEY  a key is made of visible ASCII characters, without spaces");
  if (model === undefined) {
    problems.push(
      "PROCTOR_LLM_MODEL  is missing: the model for agents has an address and no name\n   set PROCTOR_LLM_MODEL (llm_model in proctor.yaml), too",
    );
    return undefined;
  }
  return {
    url,
    ...(apiKey !== undefined && { apiKey }),
    provider: provider ?? "openai",
    defaultModel: model,
    ...(models && { models }),
  };
}
