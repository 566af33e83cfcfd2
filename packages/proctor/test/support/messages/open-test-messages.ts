// The inboxes of a test hub, from the real parts; what a test wants to force is replaced.
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { DeliverEnvelope } from "../../../src/core/ports/deliver-envelope.ts";
import type { Registry } from "../../../src/core/ports/registry.ts";
import { createTellPeople, type TellPeople } from "../../../src/engine/tell-people.ts";
import { createHubMail, type ConnectedMail } from "../../../src/messages/hub-mail.ts";
import { createMessages, type LocalMessages } from "../../../src/messages/messages.ts";
import type { MessageLimits } from "../../../src/messages/post-office.ts";
import { createDeliver } from "../../../src/protocols/envelope/deliver.ts";
import { systemClock } from "../../../src/runtime/time/system-clock.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../test-hub.ts";

export interface TestMessagesOptions extends TestHubOptions {
  limits?: Partial<MessageLimits>;
  registry?: Registry;
  deliver?: DeliverEnvelope;
  /** Agents count as registered by somebody. */
  registeredAgents?: boolean;
  /** Does not start what only a hub does. */
  asCommand?: boolean;
  /** It is killed before it has told anybody of a question. */
  diesFirst?: boolean;
  /** The clock of the inboxes alone. */
  messageClock?: Clock;
}

export interface TestMessages extends TestHub {
  messages: LocalMessages;
  mail: ConnectedMail;
}

export const TEST_LIMITS: MessageLimits = {
  envelopeBytes: 1024 * 1024,
  count: 10_000,
  bytes: 64 * 1024 * 1024,
};

export async function openTestMessages(options: TestMessagesOptions = {}): Promise<TestMessages> {
  const {
    registry,
    limits,
    deliver = createDeliver(),
    asCommand,
    messageClock,
    diesFirst = false,
    ...rest
  } = options;
  const mail = createHubMail();
  let people: TellPeople | undefined;
  const opened = await openTestHub({
    ...rest,
    mail,
    onAsked: (runId, question) => void (diesFirst || people?.asked(runId, question)),
  });
  const { hub, store, reader, agents, problems } = opened;
  people = createTellPeople({
    store,
    clock: options.clock ?? systemClock,
    post: (draft) => mail.post(draft),
    report: (problem) => problems.push(problem),
  });
  const messages = createMessages({
    store: store.messages,
    hub,
    log: reader,
    mail,
    clock: messageClock ?? options.clock ?? systemClock,
    limits: { ...TEST_LIMITS, ...limits },
    deliver,
    ...(registry && { registry: () => registry }),
    async addressOf(receiver) {
      const found = await agents.resolve(receiver).catch(() => undefined);
      const spec = found?.spec;
      if (spec?.protocol !== "envelope" || spec.transport === "inbox") return undefined;
      return { spec, registered: options.registeredAgents === true };
    },
    report: (problem) => problems.push(problem),
  });
  if (asCommand !== true) {
    await messages.start();
    if (!diesFirst) await people.start();
  }
  return {
    ...opened,
    messages,
    mail,
    async close() {
      await people.settled();
      await messages.close();
      await opened.close();
    },
  };
}
