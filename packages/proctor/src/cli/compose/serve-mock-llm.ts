// A mock LLM, served until it is told to stop.
import { openMockLlm } from "../../doubles/llm/open-mock-llm.ts";
import type { ServeMockLlmOptions } from "../actions/mock/mock-llm.ts";

export async function serveMockLlm({ onReady, signal, ...options }: ServeMockLlmOptions): Promise<void> {
  const llm = await openMockLlm(options);
  try {
    onReady({ url: llm.url, callsUrl: llm.url.replace(/\/v1$/, "/calls") });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    await llm.close();
  }
}
