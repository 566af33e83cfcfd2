// Every rule that an ATP agent is held to, in the order in which they are tried. Documented in docs/reference/conformance.md.
import type { AtpRule } from "./rule.ts";
import { CONDUCT_RULES } from "./rules/conduct.ts";
import { MESSAGE_RULES } from "./rules/messages.ts";
import { REQUEST_RULES } from "./rules/requests.ts";

const ALL = [...MESSAGE_RULES, ...REQUEST_RULES, ...CONDUCT_RULES] as const;

export type RuleId = (typeof ALL)[number]["id"];

export const RULES: readonly (AtpRule & { id: RuleId })[] = ALL;
