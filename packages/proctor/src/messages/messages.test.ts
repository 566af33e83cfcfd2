// The Messages port's promises, kept by both of its implementations on the same real parts.
import { openServedMessages } from "../../test/support/messages/open-served-messages.ts";
import { openTestMessages } from "../../test/support/messages/open-test-messages.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { messagesCases } from "../core/ports/messages.case.ts";

const limits = { count: 20, envelopeBytes: 10_000 };

messagesCases("in this process", async () => {
  const driver = createScriptedDriver();
  return { ...(await openTestMessages({ driver, limits })), driver };
});

messagesCases("over HTTP", async () => {
  const driver = createScriptedDriver();
  const { local, ...served } = await openServedMessages({ driver, limits });
  return { ...served, hub: local.hub, driver };
});
