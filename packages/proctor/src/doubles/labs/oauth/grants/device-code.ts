// A device polls until its user has decided elsewhere (RFC 8628, sections 3.4 and 3.5). What each poll gets is in the script, unless the user has
// visited the page.
import type { JsonObject } from "../../../../core/json.ts";
import type { DeviceAnswer } from "../../../../core/oauth-script.ts";
import { need } from "../form.ts";
import type { DeviceCode } from "../grant-store.ts";
import { issueTokens } from "../issue-tokens.ts";
import type { LabDeps } from "../lab-deps.ts";
import { OAuthError } from "../oauth-error.ts";
import type { Grant } from "./grant.ts";

/** Seconds that `slow_down` adds to the interval. */
const SLOWER_SECONDS = 5;
/** Milliseconds by which a poll may be early: clocks and networks are not exact. */
const TOLERANCE_MS = 100;

export const deviceCode: Grant = async (parts, { client, form, fault }): Promise<JsonObject> => {
  const { store } = parts;
  const device = store.deviceCodes.get(need(form, "device_code"));
  if (device === undefined || device.family.clientId !== client.id || device.used) {
    throw new OAuthError("invalid_grant", "the device code is not one of this client, or was used before");
  }
  if (store.isOver(device)) throw new OAuthError("expired_token", "the device code has expired");
  const answer = answerTo(parts, device);
  switch (answer) {
    case "pending":
      throw new OAuthError("authorization_pending", "the user has not decided yet");
    case "slow_down":
      device.intervalMs += SLOWER_SECONDS * 1000;
      throw new OAuthError("slow_down", `poll every ${device.intervalMs / 1000} seconds`);
    case "deny":
      throw new OAuthError("access_denied", "the user has refused");
    case "expire":
      throw new OAuthError("expired_token", "the device code has expired");
    case "approve":
      device.used = true;
      return issueTokens(parts, {
        client,
        family: device.family,
        refresh: client.grants.includes("refresh_token"),
        fault,
      });
    default:
      return answer satisfies never;
  }
};

function answerTo({ settings, clock }: LabDeps, device: DeviceCode): DeviceAnswer {
  const now = clock.now();
  const { lastPollMs, intervalMs, decision } = device;
  device.lastPollMs = now;
  const isEarly = lastPollMs !== undefined && now - lastPollMs < intervalMs - TOLERANCE_MS;
  if (isEarly && settings.device.interval > 0) return "slow_down";
  if (decision !== undefined) return decision;
  const { answers } = settings.device;
  const answer = answers[Math.min(device.polls, answers.length - 1)] ?? "pending";
  device.polls += 1;
  return answer;
}
