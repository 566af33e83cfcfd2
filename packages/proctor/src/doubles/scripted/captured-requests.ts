// Every request that reached the agent (document 001, section 3.1, "Request Capture"), for tests to look at: kept in memory, as many as
// fit, with those who wait for more.
import type { Json } from "../../core/json.ts";
import { createAwaitedLog } from "../awaited-log.ts";
import { jsonOrText } from "../json-or-text.ts";

export type CapturedRequest = {
  /** Counts from 1, also over requests that were dropped. */
  number: number;
  /** ISO 8601. */
  time: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The body as JSON, or as text where it is none; null when there is none. */
  body: Json;
  /** `send`, `stream`, `getTask`, …; absent when the request did not get that far. */
  operation?: string;
  version?: string;
  binding?: string;
  test_case_id?: string;
  task_id?: string;
  context_id?: string;
  /** Index of the turn that the message got, from 0. */
  turn?: number;
  /** Name of the script that answered. */
  script?: string;
  /** Faults that were put into the answer, by their kinds. */
  faults?: string[];
  /** Status of the answer over HTTP. */
  status?: number;
  /** Why the agent refused the request, or could not play its script. */
  error?: string;
};

/** Which requests are meant; all that is given has to fit. */
export interface CapturedFilter {
  testCaseId?: string;
  operation?: string;
}

/** A request that is being answered; what becomes known of it is added. */
export interface Capture {
  note(facts: Partial<CapturedRequest>): void;
  read(): CapturedRequest;
}

export interface CapturedRequests {
  add(request: Omit<CapturedRequest, "number" | "body">, body: string): Capture;
  /** Oldest first. */
  list(filter?: CapturedFilter): CapturedRequest[];
  /** Resolves with them as soon as there are so many; rejects with the signal's reason. */
  wait(count: number, filter: CapturedFilter, signal: AbortSignal): Promise<CapturedRequest[]>;
  clear(filter?: Pick<CapturedFilter, "testCaseId">): void;
}

interface Entry {
  request: Omit<CapturedRequest, "body">;
  text: string;
}

export function createCapturedRequests(): CapturedRequests {
  const log = createAwaitedLog<Entry>();
  let number = 0;
  // Parsed only for those who look: most requests are never looked at.
  const readEntry = ({ request, text }: Entry): CapturedRequest => ({ ...request, body: jsonOrText(text) });

  return {
    add(request, text) {
      number += 1;
      const entry: Entry = { request: { number, ...request }, text };
      log.add(entry, text.length + 1000);
      return {
        note(facts) {
          Object.assign(entry.request, facts);
          log.wake();
        },
        read: () => readEntry(entry),
      };
    },
    list: (filter = {}) => log.list((entry) => fits(entry, filter)).map(readEntry),
    async wait(count, filter, signal) {
      const what = wordsFor(filter);
      return (await log.wait(count, { fits: (entry) => fits(entry, filter), what, signal })).map(readEntry);
    },
    clear({ testCaseId } = {}) {
      const kept =
        testCaseId === undefined ? [] : log.list(({ request }) => request.test_case_id !== testCaseId);
      if (testCaseId === undefined) number = 0;
      log.clear();
      for (const entry of kept) log.add(entry, entry.text.length + 1000);
    },
  };
}

function fits({ request }: Entry, { testCaseId, operation }: CapturedFilter): boolean {
  if (testCaseId !== undefined && request.test_case_id !== testCaseId) return false;
  return operation === undefined || request.operation === operation;
}

function wordsFor({ testCaseId, operation }: CapturedFilter): string {
  const of = testCaseId === undefined ? "" : ` of the test case ${testCaseId}`;
  return `${operation === undefined ? "requests" : `requests for ${operation}`}${of}`;
}
