// A mock LLM, served until it is told to stop.
import type { LlmCall, LlmScript } from "../../core/llm-script.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import { openMockLlm } from "../../doubles/llm/open-mock-llm.ts";

export interface MockLlmReady {
  /** What clients take as their base URL. */
  url: string;
  /** Where the log of calls can be read. */
  callsUrl: string;
}

export interface ServeMockLlmOptions {
  script: LlmScript;
  host: string;
  port: number;
  /** What callers must send as a bearer token. */
  key?: string;
  onReady: (info: MockLlmReady) => void;
  /** Every call, before it is answered; the answer waits. */
  onCall: (call: LlmCall) => Promise<void>;
  /** Aborted to stop. */
  signal: AbortSignal;
}

export async function serveMockLlm({ onReady, signal, ...options }: ServeMockLlmOptions): Promise<void> {
  const llm = await openMockLlm(options);
  try {
    onReady({ url: llm.url, callsUrl: llm.url.replace(/\/v1$/, "/calls") });
    await whenAborted(signal);
  } finally {
    await llm.close();
  }
}
