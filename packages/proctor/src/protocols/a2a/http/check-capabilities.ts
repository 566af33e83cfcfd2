// Whether the agent's card promises what a request needs: specification 1.0, section 3.3.4. So no service has to check it again.
import { A2aError } from "../errors.ts";
import type { AgentCard } from "../model.ts";
import type { A2aOperation } from "../service.ts";

export const STREAMS: ReadonlySet<A2aOperation> = new Set(["stream", "subscribe"]);
const PUSHES: ReadonlySet<A2aOperation> = new Set([
  "createPushConfig",
  "getPushConfig",
  "listPushConfigs",
  "deletePushConfig",
]);

/** Throws UNSUPPORTED_OPERATION, PUSH_NOTIFICATION_NOT_SUPPORTED or EXTENSION_SUPPORT_REQUIRED. */
export function checkCapabilities(
  { capabilities }: AgentCard,
  operation: A2aOperation,
  asked: readonly string[],
): void {
  if (STREAMS.has(operation) && capabilities.streaming !== true)
    throw new A2aError("UNSUPPORTED_OPERATION", "this agent does not stream; its card says so");
  if (PUSHES.has(operation)) requirePush({ capabilities });
  if (operation === "extendedCard" && capabilities.extendedAgentCard !== true)
    throw new A2aError("UNSUPPORTED_OPERATION", "this agent has no extended card; its public card is all");
  const missing = (capabilities.extensions ?? [])
    .filter(({ uri, required }) => required === true && !asked.includes(uri))
    .map(({ uri }) => uri);
  if (missing.length > 0)
    throw new A2aError(
      "EXTENSION_SUPPORT_REQUIRED",
      `this agent only works with extensions that the request does not ask for: ${missing.join(", ")}; name them in the header A2A-Extensions`,
      { metadata: { requiredExtensions: missing.join(",") } },
    );
}

/** Throws PUSH_NOTIFICATION_NOT_SUPPORTED where the card does not offer push notifications. */
export function requirePush({ capabilities }: Pick<AgentCard, "capabilities">): void {
  if (capabilities.pushNotifications !== true)
    throw new A2aError("PUSH_NOTIFICATION_NOT_SUPPORTED", "this agent sends no push notifications");
}

/** Returns the extensions that are in use: those that the client asked for and the agent has. */
export function activeExtensions({ capabilities }: AgentCard, asked: readonly string[]): string[] {
  const known = new Set((capabilities.extensions ?? []).map(({ uri }) => uri));
  return asked.filter((uri) => known.has(uri));
}
