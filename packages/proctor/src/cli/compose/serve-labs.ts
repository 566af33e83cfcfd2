// `proctor mock oauth` and `proctor mock push`: labs, served until they are told to stop.
import type { OAuthRequest } from "../../core/oauth-script.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import type { PushDelivery } from "../../core/push-script.ts";
import { openOAuthLab, openPushReceiver, type OAuthLabStart, type PushReceiverStart } from "./open-labs.ts";
import type { ServeMockOptions } from "./serve-mock.ts";

export interface OAuthLabReady {
  url: string;
  issuer: string;
  controlUrl: string;
  /** Ids of the OAuth clients. */
  clients: readonly string[];
  /** Name of the script, where it has one. */
  name?: string;
}

export type ServeOAuthLabOptions = Omit<OAuthLabStart, "onRequest"> &
  ServeMockOptions<OAuthLabReady, OAuthRequest>;

export async function serveOAuthLab({
  onReady,
  onCall,
  signal,
  ...options
}: ServeOAuthLabOptions): Promise<void> {
  const lab = await openOAuthLab({ ...options, onRequest: onCall });
  try {
    const { url, issuer, script } = lab;
    const clients = script.clients?.map(({ id }) => id) ?? ["test"];
    const { name } = script;
    onReady({ url, issuer, controlUrl: `${url}/__control`, clients, ...(name !== undefined && { name }) });
    await whenAborted(signal);
  } finally {
    await lab.close();
  }
}

export interface PushReceiverReady {
  url: string;
  controlUrl: string;
  /** What deliveries have to prove themselves with: `token`, `jwt`, … */
  verified: readonly string[];
  /** Name of the script, where it has one. */
  name?: string;
}

export type ServePushReceiverOptions = Omit<PushReceiverStart, "onDelivery"> &
  ServeMockOptions<PushReceiverReady, PushDelivery>;

export async function servePushReceiver(options: ServePushReceiverOptions): Promise<void> {
  const { onReady, onCall, signal, ...rest } = options;
  const receiver = await openPushReceiver({ ...rest, onDelivery: onCall });
  try {
    const { url, script } = receiver;
    const { name, verify = {} } = script;
    const verified = Object.keys(verify).filter((key) => key !== "tolerance_seconds");
    onReady({ url, controlUrl: `${url}/__control`, verified, ...(name !== undefined && { name }) });
    await whenAborted(signal);
  } finally {
    await receiver.close();
  }
}
