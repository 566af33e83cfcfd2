// Passes when the words of an English text mark the tone that is expected.
import type { Check } from "../check.ts";
import { judgeStyle } from "../style/judge-style.ts";
import { pathKey, styleSchema, toneKeys } from "../style/style-config.ts";
import type { StyleConfig } from "../style/style-config.ts";

export const tone: Check<StyleConfig> = {
  type: "tone",
  config: styleSchema({ ...pathKey, ...toneKeys }),
  evaluate: judgeStyle,
};
