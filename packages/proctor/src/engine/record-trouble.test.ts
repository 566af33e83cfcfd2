import { afterEach, describe, expect, it } from "vitest";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import { ProctorError, type ErrorCode } from "../core/errors.ts";

const agent = { protocol: "atp", transport: "stdio", command: ["scripted"] };
const task = { description: "do it" };

let hub: TestHub | undefined;
afterEach(() => hub?.close());

/** The first end of a run that its owner writes is refused with this code. */
async function openFailingOnce(code: ErrorCode) {
  const driver = createScriptedDriver();
  let failed = false;
  hub = await openTestHub({
    driver,
    wrapStore: (store) => ({
      ...store,
      append: (id, events, options) => {
        const isEnd = typeof events !== "function" && events.some(({ draft }) => draft.type === "run.ended");
        if (failed || !isEnd) return store.append(id, events, options);
        failed = true;
        return Promise.reject(new ProctorError(code, "the database is away"));
      },
    }),
  });
  return { driver, hub };
}

describe("a run whose store did not take what it had to write", () => {
  it("was interrupted when the store was away for a moment, and is tried again where its policy allows", async () => {
    const opened = await openFailingOnce("STORE_UNAVAILABLE");
    const retry = { max_attempts: 2, initial_delay_ms: 0 };
    const { run } = await opened.hub.hub.submit({ agent, task, retry });
    (await opened.driver.session(0)).end();
    const { failure, retried_as } = await opened.hub.ended(run.id);
    expect(failure).toMatchObject({
      code: "INTERRUPTED",
      message: expect.stringContaining("the database is away") as string,
    });
    const next = await opened.driver.session(1);
    expect(next.job.runId).toBe(retried_as);
    next.end();
    expect(await opened.hub.ended(retried_as ?? "")).toMatchObject({ status: "completed" });
  });

  it("failed by an internal error where the same would happen again", async () => {
    const opened = await openFailingOnce("DATABASE_CORRUPT");
    const retry = { max_attempts: 2, initial_delay_ms: 0 };
    const { run } = await opened.hub.hub.submit({ agent, task, retry });
    (await opened.driver.session(0)).end();
    const { failure, retried_as } = await opened.hub.ended(run.id);
    expect({ code: failure?.code, retried_as }).toEqual({ code: "INTERNAL_ERROR", retried_as: null });
  });
});
