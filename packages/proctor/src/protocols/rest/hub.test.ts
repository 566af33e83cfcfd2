// A JSON endpoint as an agent of a hub: from the request to the run's result, with secrets on the way.
import { expect, it } from "vitest";
import { openTestHub } from "../../../test/support/test-hub.ts";
import { jsonEndpoint } from "../../../test/support/protocols/json-endpoint.ts";

it("a hub gives an endpoint the secrets of its options, and hides them in everything that it keeps", async () => {
  const { spec, asked } = await jsonEndpoint(
    (response, { body }) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ reply: `you sent ${JSON.stringify(body)}` }));
    },
    { body: { q: "{task}", api_key: "sk-in-the-body" }, answer: "reply" },
  );
  const test = await openTestHub();
  const { hub } = test;
  try {
    for (const agent of [spec, (await hub.addAgent({ ...spec, name: "rest" })).name]) {
      const { run } = await hub.submit({ agent, task: { description: "hello" } });
      expect(await test.ended(run.id)).toMatchObject({
        status: "completed",
        artifacts: [
          { name: "result", data: { output: expect.stringContaining("[redacted:api_key]") as string } },
        ],
      });
      expect(JSON.stringify(await hub.events(run.id, {}))).not.toContain("sk-in-the-body");
    }
    expect(asked.map(({ body }) => body)).toEqual([
      { q: "hello", api_key: "sk-in-the-body" },
      { q: "hello", api_key: "sk-in-the-body" },
    ]);
  } finally {
    await test.close();
  }
});
