// Passes when the sentences of a text are neither too long nor too short.
import type { Check } from "../check.ts";
import { judgeStyle } from "../style/judge-style.ts";
import { lengthKeys, pathKey, styleSchema } from "../style/style-config.ts";
import type { StyleConfig } from "../style/style-config.ts";

export const sentenceLength: Check<StyleConfig> = {
  type: "sentence_length",
  config: styleSchema({ ...pathKey, ...lengthKeys }),
  evaluate: judgeStyle,
};
