// Passes when few enough sentences of an English text are in the passive voice.
import type { Check } from "../check.ts";
import { judgeStyle } from "../style/judge-style.ts";
import { passiveKeys, pathKey, styleSchema } from "../style/style-config.ts";
import type { StyleConfig } from "../style/style-config.ts";

export const passiveVoice: Check<StyleConfig> = {
  type: "passive_voice",
  config: styleSchema({ ...pathKey, ...passiveKeys }),
  evaluate: judgeStyle,
};
