// Announces a double to the hub and reports what it was asked, where a hub is known. The double comes first: it neither waits for the hub nor
// fails with it, and what cannot be reported is dropped.
import { hostname } from "node:os";
import type { DoubleKind, NewDoubleRequest } from "../../core/double.ts";
import type { AnnouncedDouble, Doubles } from "../../core/ports/doubles.ts";
import { ProctorError } from "../../core/errors.ts";
import { createHttpClient } from "../../hub/http-client.ts";
import { createHttpDoubles } from "../../hub/http-doubles.ts";
import { loadConfig } from "../config/load-config.ts";
import { findHub } from "./open-hub.ts";

export interface AnnounceOptions {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Address of the hub; the one of the environment, or that holds the data directory, when absent. */
  hub: string | undefined;
  kind: DoubleKind;
  name: string;
}

export interface Announcer {
  /** Announces that the double is at this address. */
  start(address: string): void;
  tell(request: NewDoubleRequest): void;
  /** Reports the rest, and that the double ends; gives up after a moment. */
  close(): Promise<void>;
}

/** Milliseconds within which requests are gathered, to be reported together. */
const GATHER_MS = 200;
const RETRY_MS = 2000;
const GOODBYE_MS = 1000;
const MAX_WAITING = 1000;
const MAX_BATCH = 50;
/** Characters of one request and its answer; the hub keeps less. */
const MAX_REQUEST_CHARS = 16_000;

export function announceDouble({ kind, name, ...options }: AnnounceOptions): Announcer {
  const waiting: NewDoubleRequest[] = [];
  let doubles: Doubles | undefined;
  let self: AnnouncedDouble | undefined;
  let address = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let working: Promise<void> = Promise.resolve();
  let isClosed = false;
  /** Whether no hub is known to which anything could be reported. */
  let isAlone = false;

  function plan(afterMs: number): void {
    clearTimeout(timer);
    if (isClosed || doubles === undefined) return;
    timer = setTimeout(turn, afterMs).unref();
  }

  function turn(): void {
    working = working.then(talk).then(
      () => plan(waiting.length > 0 ? GATHER_MS : (self?.beat_ms ?? RETRY_MS)),
      () => plan(RETRY_MS),
    );
  }

  async function talk(): Promise<void> {
    if (doubles === undefined) return;
    self ??= await doubles.announce({ kind, name, address, host: hostname(), pid: process.pid });
    const batch = waiting.slice(0, MAX_BATCH);
    try {
      await doubles.record(self.id, batch);
    } catch (error) {
      // The hub has forgotten it, or is another one: it is announced again.
      if (error instanceof ProctorError && error.code === "DOUBLE_NOT_FOUND") self = undefined;
      // What a hub cannot read would be refused for ever.
      if (error instanceof ProctorError && error.code === "INVALID_REQUEST") waiting.splice(0, batch.length);
      throw error;
    }
    waiting.splice(0, batch.length);
  }

  async function find(): Promise<void> {
    const { cwd, env, hub } = options;
    const found = await findHub(await loadConfig({ cwd, env, flags: { hub } }));
    if (found) doubles = createHttpDoubles(createHttpClient(found));
  }

  /** Drops what can no longer be reported. */
  function settle(): void {
    isAlone = doubles === undefined;
    if (isAlone) waiting.length = 0;
  }

  return {
    start(at) {
      address = at;
      working = find()
        .catch(() => undefined)
        .then(settle);
      turn();
    },
    tell(request) {
      if (isClosed || isAlone || address === "") return;
      if (waiting.length >= MAX_WAITING) waiting.shift();
      waiting.push(bounded(request));
      if (self !== undefined) plan(GATHER_MS);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const goodbye = working.then(async () => {
        if (doubles === undefined) return;
        while (waiting.length > 0) await talk();
        if (self) await doubles.end(self.id);
      });
      const patience = new Promise<void>((resolve) => void setTimeout(resolve, GOODBYE_MS).unref());
      await Promise.race([goodbye.catch(() => undefined), patience]);
    },
  };
}

function bounded(request: NewDoubleRequest): NewDoubleRequest {
  const size = JSON.stringify([request.request, request.answered]).length;
  if (size <= MAX_REQUEST_CHARS) return request;
  const cut = (value: unknown): string => JSON.stringify(value).slice(0, MAX_REQUEST_CHARS / 2);
  return { ...request, request: cut(request.request), answered: cut(request.answered) };
}
