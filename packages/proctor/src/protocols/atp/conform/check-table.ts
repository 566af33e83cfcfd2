// How each rule is tried. The compiler holds this table and the list of rules to each other.
import { CHANNEL_CHECKS } from "./checks/channel.ts";
import { CONDUCT_CHECKS } from "./checks/conduct.ts";
import { EVENT_CHECKS } from "./checks/event.ts";
import { INVALID_CHECKS } from "./checks/invalid.ts";
import { REQUEST_CHECKS } from "./checks/request.ts";
import { RESPONSE_CHECKS } from "./checks/response.ts";
import { TASKS_CHECKS } from "./checks/tasks.ts";
import { VERSION_CHECKS } from "./checks/version.ts";
import type { Check } from "./finding.ts";
import type { RuleId } from "./rules.ts";

export const CHECK_TABLE: Record<RuleId, Check> = {
  ...RESPONSE_CHECKS,
  ...EVENT_CHECKS,
  ...CHANNEL_CHECKS,
  ...REQUEST_CHECKS,
  ...VERSION_CHECKS,
  ...INVALID_CHECKS,
  ...CONDUCT_CHECKS,
  ...TASKS_CHECKS,
};
