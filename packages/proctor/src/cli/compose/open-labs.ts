// A lab as a person or a test describes it: by the path of a script, or by the script itself.
import type { z } from "zod";
import type { OAuthRequest, OAuthScript } from "../../core/oauth-script.ts";
import type { PushDelivery, PushScript } from "../../core/push-script.ts";
import { checked } from "../../doubles/control-api.ts";
import { openOAuthLab as openOAuth, type OAuthLab } from "../../doubles/labs/oauth/open-oauth-lab.ts";
import {
  openPushReceiver as openPush,
  type PushReceiver,
} from "../../doubles/labs/push/open-push-receiver.ts";
import { oauthScriptSchema } from "../../runtime/schemas/oauth-script.ts";
import { pushScriptSchema } from "../../runtime/schemas/push-script.ts";
import type { NamedFileOptions } from "../../runtime/yaml/load-yaml.ts";
import { loadOAuthScript } from "../../suites/load-oauth-script.ts";
import { loadPushScript } from "../../suites/load-push-script.ts";

interface LabOptions<Script> {
  /** The script, or the path of its file; without one the lab has sensible defaults. */
  script?: string | Script;
  /** The file's name in problems. */
  displayName?: string;
  /** Values for `${NAME}` in the file. */
  env: Readonly<Record<string, string | undefined>>;
  host?: string;
  /** Port to listen on; any free one when absent or 0. */
  port?: number;
}

export interface OAuthLabStart extends LabOptions<OAuthScript> {
  onRequest?: (request: OAuthRequest) => Promise<void>;
}

export interface PushReceiverStart extends LabOptions<PushScript> {
  onDelivery?: (delivery: PushDelivery) => Promise<void>;
}

export type OpenedOAuthLab = OAuthLab & { script: OAuthScript };
export type OpenedPushReceiver = PushReceiver & { script: PushScript };

const HOST = "127.0.0.1";

/** Throws SUITE_INVALID, FILE_UNREADABLE, INVALID_REQUEST or CONFIG_INVALID. */
export async function openOAuthLab(options: OAuthLabStart): Promise<OpenedOAuthLab> {
  const { host = HOST, port = 0, onRequest } = options;
  const script = await scriptOf(options, loadOAuthScript, oauthScriptSchema);
  return { ...(await openOAuth({ script, host, port, ...(onRequest && { onRequest }) })), script };
}

/** Throws SUITE_INVALID, FILE_UNREADABLE, INVALID_REQUEST or CONFIG_INVALID, as openOAuthLab does. */
export async function openPushReceiver(options: PushReceiverStart): Promise<OpenedPushReceiver> {
  const { host = HOST, port = 0, onDelivery } = options;
  const script = await scriptOf(options, loadPushScript, pushScriptSchema);
  return { ...(await openPush({ script, host, port, ...(onDelivery && { onDelivery }) })), script };
}

async function scriptOf<Script extends object>(
  { script, env, displayName }: LabOptions<Script>,
  load: (file: string, options: NamedFileOptions) => Promise<Script>,
  schema: z.ZodType<Script>,
): Promise<Script> {
  if (typeof script !== "string") return checked(schema, script ?? {}, "the script");
  return load(script, { variables: env, ...(displayName !== undefined && { displayName }) });
}
