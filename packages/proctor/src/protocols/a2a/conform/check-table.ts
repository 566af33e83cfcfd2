// How each rule is tried. The compiler holds this table and the list of rules to each other.
import { CARD_CHECKS } from "./checks/card.ts";
import { CANCEL_CHECKS } from "./checks/cancel.ts";
import { ERROR_CHECKS } from "./checks/errors.ts";
import { MALFORMED_CHECKS } from "./checks/malformed.ts";
import { PUSH_CHECKS } from "./checks/push.ts";
import { RESUME_CHECKS } from "./checks/resume.ts";
import { SEND_CHECKS } from "./checks/send.ts";
import { STREAM_CHECKS } from "./checks/streams.ts";
import { TASK_CHECKS } from "./checks/tasks.ts";
import { TOKEN_CHECKS } from "./checks/tokens.ts";
import { TRUST_CHECKS } from "./checks/trust.ts";
import { VERSION_CHECKS } from "./checks/versions.ts";
import type { Check } from "./finding.ts";
import type { RuleId } from "./rules.ts";

export const CHECK_TABLE: Record<RuleId, Check> = {
  ...CARD_CHECKS,
  ...SEND_CHECKS,
  ...TASK_CHECKS,
  ...STREAM_CHECKS,
  ...RESUME_CHECKS,
  ...CANCEL_CHECKS,
  ...VERSION_CHECKS,
  ...ERROR_CHECKS,
  ...MALFORMED_CHECKS,
  ...PUSH_CHECKS,
  ...TRUST_CHECKS,
  ...TOKEN_CHECKS,
};
