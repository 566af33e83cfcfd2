// The device authorization endpoint (RFC 8628, section 3.1) and the page that its user visits, which decides at once, as the script says.
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import { authenticateClient } from "../authenticate-client.ts";
import { chooseScopes } from "../choose-scopes.ts";
import { formOf, need } from "../form.ts";
import { newSecret, newUserCode } from "../grant-store.ts";
import type { LabDeps, Visit } from "../lab-deps.ts";
import { OAuthError } from "../oauth-error.ts";

export async function answerDeviceAuthorization(parts: LabDeps, visit: Visit): Promise<Response> {
  const { settings, store, origin } = parts;
  const { interval, expiresIn } = settings.device;
  const form = formOf(visit.parameters);
  const client = authenticateClient(settings, visit.request, form);
  visit.note({ client_id: client.id });
  if (!client.grants.includes("device_code")) {
    throw new OAuthError("unauthorized_client", "the client may not use the grant device_code");
  }
  const scopes = chooseScopes(form["scope"], client.scopes);
  const [deviceCode, userCode] = [newSecret(), newUserCode()];
  store.deviceCodes.set(deviceCode, {
    family: { clientId: client.id, userId: settings.user.id, scopes, revoked: false },
    userCode,
    expiresAtMs: store.endOf(expiresIn),
    polls: 0,
    intervalMs: interval * 1000,
    used: false,
  });
  return jsonResponse({
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${origin()}/device`,
    verification_uri_complete: `${origin()}/device?user_code=${userCode}`,
    expires_in: expiresIn,
    interval,
  });
}

export async function answerDevice({ settings, store }: LabDeps, visit: Visit): Promise<Response> {
  const form = formOf(visit.parameters);
  const userCode = need(form, "user_code").toUpperCase();
  const device = [...store.deviceCodes.values()].find((one) => one.userCode === userCode);
  if (device === undefined || device.used || store.isOver(device)) {
    throw new OAuthError("invalid_request", "there is no such user code, or it has expired");
  }
  device.decision = settings.decision;
  const said = settings.decision === "approve" ? "approved" : "refused";
  return new Response(`The device is ${said}. You may close this page.\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
