// The rules that gateways of A2A are examined by, in the order in which they are tried. Those that take the upstream down come last.
import type { GatewayRule } from "./gateway-rule.ts";
import { ANSWER_RULES } from "./rules/answers.ts";
import { CARD_RULES } from "./rules/card.ts";
import { HEADER_RULES } from "./rules/headers.ts";
import { ID_RULES } from "./rules/ids.ts";
import { LOAD_RULES } from "./rules/load.ts";
import { MEASURED_RULES } from "./rules/measured.ts";
import { MESSAGE_RULES } from "./rules/messages.ts";
import { PUSH_RULES } from "./rules/push.ts";
import { STREAM_RULES } from "./rules/streams.ts";
import { TROUBLE_RULES } from "./rules/trouble.ts";

export const GATEWAY_RULES: readonly GatewayRule[] = [
  ...CARD_RULES,
  ...MESSAGE_RULES,
  ...ID_RULES,
  ...ANSWER_RULES,
  ...STREAM_RULES,
  ...HEADER_RULES,
  ...PUSH_RULES,
  ...LOAD_RULES,
  ...MEASURED_RULES,
  ...TROUBLE_RULES,
];
