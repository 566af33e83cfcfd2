// The model that checks may ask: its address and its name from the environment or proctor.yaml, its key from the environment only.
import type { Parse } from "./parse-values.ts";

export interface JudgeConfig {
  url: string;
  model: string;
  apiKey?: string;
}

/** Parses the base address of a model. `keyVariable` is the environment variable that holds its key. */
export function modelUrlParser(keyVariable: string): Parse<string> {
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const bad = (message: string): { ok: false; message: string } => ({ ok: false, message });
    if (!url || !/^https?:$/.test(url.protocol)) return bad("must be a URL like https://api.openai.com/v1");
    if (url.username || url.password) return bad(`must not hold a password\n   set ${keyVariable} instead`);
    if (url.hash) return bad("must end before the #");
    if (/\/chat\/completions\/*$/.test(url.pathname))
      return bad("must end before /chat/completions, which is added to it");
    return { ok: true, value: text };
  };
}

export const parseJudgeUrl: Parse<string> = modelUrlParser("PROCTOR_JUDGE_API_KEY");

interface JudgeSources {
  env: Readonly<Record<string, string | undefined>>;
  file: { judge_url?: string | undefined; judge_model?: string | undefined };
}

/** Returns undefined when no judge is configured, or when something is wrong, which is added to `problems`. Never shows the key. */
export function readJudge({ env, file }: JudgeSources, problems: string[]): JudgeConfig | undefined {
  // A variable that is set to nothing is not set.
  const given = env["PROCTOR_JUDGE_URL"] || undefined;
  const url = given ?? file.judge_url;
  const model = env["PROCTOR_JUDGE_MODEL"] || file.judge_model;
  const apiKey = env["PROCTOR_JUDGE_API_KEY"] || undefined;
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined || model === undefined) {
    const [has, lacks] = url === undefined ? ["model", "URL"] : ["URL", "model"];
    problems.push(
      `PROCTOR_JUDGE_${lacks.toUpperCase()}  is missing: the judge has a ${has} and no ${lacks}\n   set both PROCTOR_JUDGE_URL and PROCTOR_JUDGE_MODEL (judge_url and judge_model in proctor.yaml), or neither`,
    );
    return undefined;
  }
  if (given !== undefined) {
    const parsed = parseJudgeUrl(given);
    if (!parsed.ok) problems.push(`PROCTOR_JUDGE_URL  ${parsed.message}`);
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    problems.push("PROCTOR_JUDGE_API_KEY  a key is made of visible ASCII characters, without spaces");
  return { url, model, ...(apiKey !== undefined && { apiKey }) };
}
