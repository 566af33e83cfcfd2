// Every request that reached the agent (document 001, section 3.1, "Request Capture"), for tests to look at: kept in memory, as many as
// fit, with those who wait for more.
import type { Json } from "../../core/json.ts";
import { createAwaitedLog } from "../awaited-log.ts";
import { jsonOrText } from "../json-or-text.ts";

export type CapturedRequest = {
  /** Number of the request from 1 on; dropped requests are counted as well. */
  number: number;
  /** Time of the request in ISO 8601. */
  time: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The body as JSON, or as text where it is not JSON; null when there is no body. */
  body: Json;
  /** Operation of the request: `send`, `stream`, `getTask`, …; absent when the request was refused before it was known. */
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
  /** Kinds of the faults that were put into the answer. */
  faults?: string[];
  /** Status of the answer over HTTP. */
  status?: number;
  /** Why the agent refused the request, or could not play its script. */
  error?: string;
};

/** Which requests are meant: those that match every given field. */
export interface CapturedFilter {
  testCaseId?: string;
  operation?: string;
}

/** A request that is being answered, to which facts are added as they become known. */
export interface Capture {
  note(facts: Partial<CapturedRequest>): void;
  read(): CapturedRequest;
}

export interface CapturedRequests {
  add(request: Omit<CapturedRequest, "number" | "body">, body: string): Capture;
  /** Returns the requests that match, oldest first. */
  list(filter?: CapturedFilter): CapturedRequest[];
  /** Resolves with the requests that match as soon as there are `count`; rejects with the signal's reason. */
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
  // The body is parsed on reading, because most requests are never read.
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
