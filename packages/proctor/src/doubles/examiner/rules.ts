// The rules that clients of A2A are examined by, in the order in which they are tried.
import type { ClientRule } from "./client-rule.ts";
import { CREDENTIAL_RULES } from "./rules/credentials.ts";
import { DISCOVERY_RULES } from "./rules/discovery.ts";
import { MESSAGE_RULES } from "./rules/messages.ts";
import { STREAM_RULES } from "./rules/streams.ts";
import { TROUBLE_RULES } from "./rules/trouble.ts";
import { UNKNOWN_RULES } from "./rules/unknown.ts";

export const CLIENT_RULES: readonly ClientRule[] = [
  ...DISCOVERY_RULES,
  ...MESSAGE_RULES,
  ...UNKNOWN_RULES,
  ...STREAM_RULES,
  ...TROUBLE_RULES,
  ...CREDENTIAL_RULES,
];
