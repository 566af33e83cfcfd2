import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixture } from "../../../test/support/test-hub.ts";
import { loadConfig } from "../config/load-config.ts";
import { openHub } from "./open-hub.ts";

test("a hub in this process sends the webhooks of its runs before it closes", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "proctor-webhooks-"));
  const types: unknown[] = [];
  const receiver = createServer((request, response) => {
    types.push(request.headers["x-proctor-event"]);
    request.resume().on("end", () => response.end());
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  // A server on a port has an address with a port.
  const { port } = receiver.address() as AddressInfo;
  const config = await loadConfig({ cwd, env: {}, flags: { webhookHosts: "127.0.0.1" } });
  const opened = await openHub(config, "write");

  const { hub } = opened;
  const { run } = await hub.submit({
    agent: fixture("ok"),
    task: { description: "work" },
    options: { webhook: { url: `http://127.0.0.1:${port}/`, events: ["task.*"] } },
  });
  for await (const event of hub.follow(run.id, -1, new AbortController().signal))
    if (event.type === "run.ended") break;
  await opened.close();

  expect(types).toEqual(["task.created", "task.started", "task.completed"]);
  receiver.closeAllConnections();
  receiver.close();
  await rm(cwd, { recursive: true });
});
