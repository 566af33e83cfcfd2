// The inboxes of all senders and receivers of envelopes, in this process. What happens to an envelope that was sent is decided once,
// written down, and then done; what a crash leaves undone is done at the next start.
import { setMaxListeners } from "node:events";
import { OPERATOR, type Caller } from "../core/caller.ts";
import { HUB, type Envelope, type EnvelopeDraft } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { DeliverEnvelope, EnvelopeAddress } from "../core/ports/deliver-envelope.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import type { MessageStore, StoredMessage } from "../core/ports/message-store.ts";
import type { InboxEntry, Messages, Sent } from "../core/ports/messages.ts";
import type { Registry } from "../core/ports/registry.ts";
import { requireProgramsForRun } from "../core/require-programs.ts";
import { createSerial } from "../core/serial.ts";
import { ANSWER } from "./answer-by-envelope.ts";
import { createCarryOut } from "./carry-out.ts";
import { completeEnvelope, fingerprintOf, type CompleteOptions } from "./complete-envelope.ts";
import { createExpiry, REMEMBERED_MS } from "./expiry.ts";
import { createHubActions } from "./hub-actions.ts";
import type { ConnectedMail } from "./hub-mail.ts";
import { createLoopGuard } from "./loop-guard.ts";
import { createNoteUnit } from "./note-units.ts";
import { requireParty } from "./party.ts";
import { createPostOffice, DEFAULT_TTL_MS, type MessageLimits, type Place } from "./post-office.ts";
import { createPush } from "./push.ts";
import { readExecute } from "./read-execute.ts";
import { createRouteEnvelope, type EnvelopeRoute } from "./route-envelope.ts";
import { createWaitingReceivers } from "./waiting-receivers.ts";

export interface MessagesDeps {
  store: MessageStore;
  clock: Clock;
  limits: MessageLimits;
  mail: ConnectedMail;
  hub: Pick<Hub, "agent" | "submit" | "cancel" | "run" | "answer">;
  log: Pick<LogReader, "records">;
  /** Absent where there is none; asked when it is needed, because it may come later. */
  registry?: () => Registry | undefined;
  deliver: DeliverEnvelope;
  /** Resolves with the address of an agent that takes envelopes by HTTP, secrets included; undefined for other receivers. */
  addressOf: (receiver: string) => Promise<EnvelopeAddress | undefined>;
  /** Reports a problem that no client can be told; a text is a remark on something that works. */
  report: (problem: unknown, runId: string) => void;
}

export interface LocalMessages extends Messages {
  /** Does what the last process left, and then what arrives. Only a hub does: a command leaves it to the next hub. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Entries that a stream reads at once. */
const PAGE = 100;

export function createMessages(deps: MessagesDeps): LocalMessages {
  const { store, clock, limits, mail, hub, log, report } = deps;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  let isStarted = false;
  const receivers = createWaitingReceivers(clock);
  const guard = createLoopGuard();
  const noteUnit = createNoteUnit((text) => report(text, ""));
  /** What a sender sends arrives in the order in which it was sent. */
  const inTurn = createSerial();
  /** Deliveries that are being counted, by receiver. */
  const counting = new Map<string, Promise<void>>();
  const office = createPostOffice({ store, clock, limits, mail, wake });
  const route = createRouteEnvelope(deps);
  const actions = createHubActions({ store, hub, registry: deps.registry, office, clock });
  const expiry = createExpiry({ store, office, clock, report });
  const carryOut = createCarryOut({ store, hub, log, office, clock, report, stop: stopping.signal });
  const push = createPush({
    store,
    clock,
    expiry,
    addressOf: deps.addressOf,
    deliver: deps.deliver,
    report,
    stop: stopping.signal,
    async accept(draft, from) {
      await sendAs({ ...draft, from }).catch((error: unknown) => report(error, ""));
    },
  });
  mail.connect(async (draft) => {
    await sendAs({ ...draft, from: HUB });
  });

  function wake(receiver: string): void {
    receivers.wake(receiver);
    // A user has no address.
    if (isStarted && !receiver.startsWith("user:")) push.wake(receiver);
  }

  function complete(draft: EnvelopeDraft, sender: Omit<CompleteOptions, "nowMs">): Envelope {
    const envelope = completeEnvelope(draft, { nowMs: clock.now(), ...sender });
    noteUnit(envelope.from, draft.timestamp);
    return envelope;
  }

  /** Sends an envelope of the hub itself, or of an agent that it asked. */
  function sendAs(draft: EnvelopeDraft): Promise<Sent> {
    return accept(complete(draft, { trusted: true }), undefined);
  }

  async function accept(envelope: Envelope, caller: Caller | undefined): Promise<Sent> {
    if (envelope.timestamp < clock.now() - REMEMBERED_MS) throw tooOld(envelope);
    const { where, added } = await inTurn(envelope.from, async () => {
      const decided = await route(envelope).catch((error: unknown) => again(envelope, error));
      if ("position" in decided) return { where: undefined, added: { message: decided, created: false } };
      guard(envelope.trace.traceId, envelope.hops ?? 0, clock.now());
      if (decided.kind === "run")
        requireProgramsForRun(caller ?? OPERATOR, readExecute(decided.agent, envelope));
      // Not awaited in turn: what is sent at once is written at once.
      return { where: decided, added: office.keep(envelope, placeOf(decided, isMail(envelope))) };
    });
    const { message, created } = await added;
    if (!created || where === undefined) return sentOf(envelope, message, created);
    if (isMail(envelope)) mail.hand(envelope);
    const runId = await act(message, envelope, where, caller);
    return sentOf(envelope, { ...message, runId }, created);
  }

  /** Answers an envelope that was accepted before as it was answered then, even if it has no receiver now. */
  async function again(envelope: Envelope, error: unknown): Promise<StoredMessage> {
    const known = await store.find(envelope.from, envelope.id);
    if (known?.fingerprint === fingerprintOf(envelope)) return known;
    throw error;
  }

  /** Resolves to the run's id, where there is a run. What cannot be done now is done at the next start. */
  async function act(
    message: StoredMessage,
    envelope: Envelope,
    where: EnvelopeRoute,
    caller: Caller | undefined,
  ): Promise<string | null> {
    switch (where.kind) {
      case "inbox":
        expiry.note(message.expiresAt);
        wake(where.receiver);
        return null;
      case "run":
        return isStarted ? begin(message, envelope, where.agent) : null;
      case "hub":
        if (message.state === "working" && isStarted) await perform(message, envelope, caller);
        return null;
    }
  }

  async function begin(message: StoredMessage, envelope: Envelope, agent: string): Promise<string | null> {
    try {
      return await carryOut.begin(message, envelope, agent);
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      const { code, message: why } = error;
      const reply = {
        id: `${message.position}:refused`,
        from: HUB,
        type: "error",
        action: envelope.action,
      } as const;
      await office.reply(envelope, { ...reply, payload: { code, message: why } });
      await store.finish(message.position, clock.now());
      return null;
    }
  }

  async function perform(
    message: StoredMessage,
    envelope: Envelope,
    caller: Caller | undefined,
  ): Promise<void> {
    // An agent that was asked by a request may well answer with a response.
    const isReply = envelope.type === "response" && envelope.action !== ANSWER;
    if (isReply || envelope.type === "error")
      return expiry.bury(message, "undeliverable", "nobody waits for this answer");
    await actions.perform(envelope, caller);
    await store.finish(message.position, clock.now());
  }

  function isMail(envelope: Envelope): boolean {
    return envelope.to === HUB && mail.isExpected(envelope);
  }

  /** Resumes what a stopped process has begun. */
  async function resume(): Promise<void> {
    for (let after = 0; ;) {
      const page = await store.working(after, PAGE);
      for (const message of page) {
        after = message.position;
        // Only envelopes are written there.
        const envelope = JSON.parse(message.document) as Envelope;
        if (message.receiver === HUB) await perform(message, envelope, undefined);
        else await begin(message, envelope, message.receiver);
      }
      if (page.length < PAGE) break;
    }
    for (let cursor: string | null = null; ;) {
      const page = await store.inboxes(cursor === null ? {} : { cursor });
      for (const { receiver } of page.items) push.wake(receiver);
      cursor = page.next_cursor;
      if (cursor === null) return;
    }
  }

  async function read(receiver: string, after: number, limit: number): Promise<InboxEntry[]> {
    await counting.get(receiver);
    const found = await store.waiting(receiver, after, limit);
    const [first] = found;
    const last = found.at(-1);
    if (first === undefined || last === undefined) return [];
    // A count that a crash loses is no loss, and only the next reader should wait for it.
    const counted = store
      .countDelivery(receiver, first.position, last.position)
      .catch((error: unknown) => void (stopping.signal.aborted || report(error, "")))
      .finally(() => counting.get(receiver) === counted && counting.delete(receiver));
    counting.set(receiver, counted);
    return found.map(({ position, document, deliveries }) => ({
      position,
      // Only envelopes are written there.
      envelope: JSON.parse(document) as Envelope,
      deliveries: deliveries + 1,
    }));
  }

  async function acknowledge(receiver: string, upTo: number): Promise<void> {
    if (upTo > 0) await store.acknowledge(receiver, upTo, clock.now());
  }

  async function* follow(receiver: string, after: number, signal: AbortSignal): AsyncGenerator<InboxEntry[]> {
    await acknowledge(receiver, after);
    for (let last = 0; !signal.aborted && !stopping.signal.aborted;) {
      // Asked before it is read, so that nothing comes in between.
      const news = receivers.listen(receiver);
      const page = await read(receiver, last, PAGE);
      last = page.at(-1)?.position ?? last;
      if (page.length > 0) yield page;
      if (page.length < PAGE) await news.wait(undefined, signal);
      else news.close();
    }
  }

  return {
    send: async (draft, caller = OPERATOR) => accept(complete(draft, { caller }), caller),
    async receive(receiver, { after, limit, waitMs }, signal, caller = OPERATOR) {
      requireParty(caller, receiver, "for");
      await acknowledge(receiver, after);
      const news = receivers.listen(receiver);
      const found = await read(receiver, 0, limit);
      if (found.length > 0 || waitMs <= 0) {
        news.close();
        return found;
      }
      await news.wait(waitMs, signal);
      return read(receiver, 0, limit);
    },
    follow(receiver, after, signal, caller = OPERATOR) {
      requireParty(caller, receiver, "for");
      return follow(receiver, after, signal);
    },
    async acknowledge(receiver, upTo, caller = OPERATOR) {
      requireParty(caller, receiver, "for");
      await acknowledge(receiver, upTo);
    },
    inboxes: (page) => store.inboxes(page),
    deadLetters: (query) => store.dead(query),
    async redeliver(position) {
      const { receiver, expiresAt } = await store.revive(position, clock.now() + DEFAULT_TTL_MS, limits);
      expiry.note(expiresAt);
      wake(receiver);
    },
    discard: (position) => store.discard(position),
    async start() {
      isStarted = true;
      expiry.start();
      await resume();
    },
    async close() {
      stopping.abort();
      receivers.close();
      await expiry.close();
      await Promise.all([carryOut.settled(), push.settled(), ...counting.values()]);
    },
  };
}

function placeOf(route: EnvelopeRoute, isMail: boolean): Place {
  switch (route.kind) {
    case "inbox":
      return { receiver: route.receiver, state: "waiting" };
    case "run":
      return { receiver: route.agent, state: "working" };
    case "hub":
      return { receiver: HUB, state: isMail ? "done" : "working" };
  }
}

function sentOf(envelope: Envelope, { state, receiver, runId }: StoredMessage, created: boolean): Sent {
  const isHubs = runId !== null || state === "working";
  return { envelope, receiver: isHubs ? HUB : receiver, created, ...(runId !== null && { run_id: runId }) };
}

function tooOld({ id, timestamp }: Envelope): ProctorError {
  return new ProctorError(
    "MESSAGE_TOO_OLD",
    `the envelope "${id}" is of ${new Date(timestamp).toISOString()}, more than a day ago\nsend it with a new id and the time of now`,
    { details: { id, timestamp } },
  );
}
