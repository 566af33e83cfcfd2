// A mock LLM, served until it is told to stop.
import type { LlmCall, LlmScript } from "../../core/llm-script.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import { openMockLlm } from "../../doubles/llm/open-mock-llm.ts";
import type { ServeMockOptions } from "./serve-mock.ts";

export interface MockLlmReady {
  /** Base URL for clients. */
  url: string;
  /** Address at which the log of calls can be read. */
  callsUrl: string;
}

export interface ServeMockLlmOptions extends ServeMockOptions<MockLlmReady, LlmCall> {
  script: LlmScript;
  /** Bearer token that callers must send. When absent, none is asked for on this machine. */
  key?: string;
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
