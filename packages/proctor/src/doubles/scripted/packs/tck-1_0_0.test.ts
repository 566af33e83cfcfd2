// What the kit that pins 1.0.0 wants otherwise than the pack has it.
import { describe, expect, it } from "vitest";
import { rpc, startAgent } from "../../../../test/support/doubles/scripted.ts";
import type { JsonObject } from "../../../core/json.ts";
import { tck100Pack } from "./tck-1_0_0.ts";

const V1 = { "a2a-version": "1.0" };
const byId = (messageId: string): JsonObject => ({
  message: { role: "ROLE_USER", messageId, parts: [{ text: "Hello" }] },
});

describe("the pack of the TCK that pins 1.0.0", () => {
  it("takes the media type whose refusal the kit requires and does not test, and is otherwise the usual pack", async () => {
    const script = tck100Pack();
    expect(script.patch).toBe("1.0.0");
    const { url } = await startAgent({ script });
    const state = async (id: string): Promise<unknown> => {
      const { result } = await rpc(url, "SendMessage", byId(id), V1);
      return (result as { task: { status: { state: string } } }).task.status.state;
    };
    expect(await state("tck-send-003-1")).toBe("TASK_STATE_COMPLETED");
    expect(await state("tck-input-required-1")).toBe("TASK_STATE_INPUT_REQUIRED");
  });
});
