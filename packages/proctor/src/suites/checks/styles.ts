// Pass when a text keeps to limits of style. `style` takes all of them together, the others one group each.
import { register, type RegisteredCheck } from "../check.ts";
import { judgeStyle } from "../style/judge-style.ts";
import {
  allKeys,
  lengthKeys,
  passiveKeys,
  readabilityKeys,
  ruleKeys,
  styleSchema,
  toneKeys,
} from "../style/style-config.ts";

const KEYS = {
  style: allKeys,
  tone: toneKeys,
  readability: readabilityKeys,
  passive_voice: passiveKeys,
  sentence_length: lengthKeys,
  style_rules: ruleKeys,
};

export const styles: readonly RegisteredCheck[] = Object.entries(KEYS).map(([type, keys]) =>
  register({ type, config: styleSchema(keys), evaluate: judgeStyle }),
);
