// Passes when an English text is easy enough to read, by formulas in common use.
import type { Check } from "../check.ts";
import { judgeStyle } from "../style/judge-style.ts";
import { pathKey, readabilityKeys, styleSchema } from "../style/style-config.ts";
import type { StyleConfig } from "../style/style-config.ts";

export const readability: Check<StyleConfig> = {
  type: "readability",
  config: styleSchema({ ...pathKey, ...readabilityKeys }),
  evaluate: judgeStyle,
};
