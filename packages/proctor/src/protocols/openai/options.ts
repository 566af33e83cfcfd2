// What an agent's `options` may say about the requests to its model.
import { z } from "zod";
import type { JsonObject } from "../../core/json.ts";
import { checkValue, type Finding } from "../../runtime/yaml/findings.ts";

/** Fields that the driver writes itself. */
const OURS = [
  "model",
  "messages",
  "stream",
  "stream_options",
  "tools",
  "temperature",
  "max_tokens",
  "n",
] as const;

const schema = z.strictObject({
  /** Instructions for the model before the conversation. */
  system: z.string().exactOptional(),
  temperature: z.number().exactOptional(),
  /** Limit of tokens for one answer. */
  max_tokens: z.int().min(1).exactOptional(),
  /** True when answers are streamed as they are written. */
  stream: z.boolean().default(true),
  /** Additional fields of every request. */
  body: z.record(z.string(), z.json()).default({}),
});

export type OpenaiOptions = z.infer<typeof schema>;
type Checked = { ok: true; value: OpenaiOptions } | { ok: false; findings: Finding[] };

export function readOptions(options: JsonObject): Checked {
  const checked: Checked = checkValue(schema, options, "options");
  if (!checked.ok) return checked;
  const findings = OURS.filter((key) => Object.hasOwn(checked.value.body, key)).map((key): Finding => ({
    path: ["body", key],
    at: "key",
    message: `"body" cannot set "${key}": the driver writes it`,
  }));
  return findings.length > 0 ? { ok: false, findings } : checked;
}
