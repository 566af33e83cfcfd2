// Passes when a text keeps to all limits of style that are given: those of the checks for each of them, together.
import type { Check } from "../check.ts";
import { judgeStyle } from "../style/judge-style.ts";
import {
  lengthKeys,
  passiveKeys,
  pathKey,
  readabilityKeys,
  ruleKeys,
  styleSchema,
  toneKeys,
} from "../style/style-config.ts";
import type { StyleConfig } from "../style/style-config.ts";

export const style: Check<StyleConfig> = {
  type: "style",
  config: styleSchema({
    ...pathKey,
    ...toneKeys,
    ...readabilityKeys,
    ...passiveKeys,
    ...lengthKeys,
    ...ruleKeys,
  }),
  evaluate: judgeStyle,
};
