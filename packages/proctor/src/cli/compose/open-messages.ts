// The inboxes of envelopes of a hub in this process.
import { ProctorError } from "../../core/errors.ts";
import type { AgentDirectory } from "../../core/ports/agent-directory.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { LogReader } from "../../core/ports/log-reader.ts";
import type { Registry } from "../../core/ports/registry.ts";
import type { Store } from "../../core/ports/store.ts";
import type { ConnectedMail } from "../../messages/hub-mail.ts";
import { createMessages, type LocalMessages } from "../../messages/messages.ts";
import type { DeliverEnvelope, EnvelopeAddress } from "../../core/ports/deliver-envelope.ts";
import { createConnectGuard } from "../../runtime/addresses/connect-guard.ts";
import type { Config } from "../config/load-config.ts";

export interface OpenMessagesDeps {
  store: Store;
  hub: Hub;
  log: LogReader;
  agents: AgentDirectory;
  mail: ConnectedMail;
  registry?: () => Registry | undefined;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
}

export function openMessages(config: Config, deps: OpenMessagesDeps): LocalMessages {
  const { store, hub, log, mail, registry, clock, report } = deps;
  let deliver: Promise<DeliverEnvelope> | undefined;
  return createMessages({
    store: store.messages,
    hub,
    log,
    mail,
    ...(registry && { registry }),
    report,
    clock,
    limits: config.messageLimits,
    addressOf: (receiver) => addressOf(deps, receiver),
    // Loaded on use: most hubs never deliver an envelope.
    async deliver(address, envelope, signal) {
      const guard = createConnectGuard({ hubHost: config.apiHost, allowHosts: config.agentHosts });
      deliver ??= import("../../protocols/envelope/deliver.ts").then(({ createDeliver }) =>
        createDeliver(guard),
      );
      return (await deliver)(address, envelope, signal);
    },
  });
}

async function addressOf(
  { agents, store }: Pick<OpenMessagesDeps, "agents" | "store">,
  receiver: string,
): Promise<EnvelopeAddress | undefined> {
  try {
    const { spec } = await agents.resolve(receiver);
    if (spec.protocol !== "envelope" || spec.transport === "inbox") return undefined;
    return { spec, registered: (await store.readAgent(receiver))?.registration !== undefined };
  } catch (error) {
    if (ProctorError.is(error)) return undefined;
    throw error;
  }
}
