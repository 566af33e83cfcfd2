// Passes when a text has the words and patterns that it must have, and none that it must not.
import type { Check } from "../check.ts";
import { judgeStyle } from "../style/judge-style.ts";
import { pathKey, ruleKeys, styleSchema } from "../style/style-config.ts";
import type { StyleConfig } from "../style/style-config.ts";

export const styleRules: Check<StyleConfig> = {
  type: "style_rules",
  config: styleSchema({ ...pathKey, ...ruleKeys }),
  evaluate: judgeStyle,
};
