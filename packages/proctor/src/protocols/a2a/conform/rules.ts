// Every rule that an A2A agent is held to, in the order in which they are tried. Documented in docs/reference/conformance.md.
import type { A2aRule } from "./rule.ts";
import { CARD_RULES } from "./rules/card.ts";
import { ERROR_RULES } from "./rules/errors.ts";
import { MESSAGE_RULES } from "./rules/messages.ts";
import { STREAM_RULES } from "./rules/streams.ts";
import { TRUST_RULES } from "./rules/trust.ts";

const ALL = [...CARD_RULES, ...MESSAGE_RULES, ...STREAM_RULES, ...ERROR_RULES, ...TRUST_RULES] as const;

export type RuleId = (typeof ALL)[number]["id"];

export const RULES: readonly (A2aRule & { id: RuleId })[] = ALL;
