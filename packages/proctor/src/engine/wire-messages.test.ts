// Recorded messages are kept without secrets and up to a limit, and are not reports of the agent.
import { afterEach, describe, expect, it } from "vitest";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import type { AgentDriver, AgentReport } from "../core/ports/driver.ts";
import { createRedactor } from "../core/redact.ts";
import type { WireMessage } from "../core/recording.ts";
import { toNewEvent } from "./new-event.ts";

const message = (text: string, more: Partial<WireMessage> = {}): WireMessage => ({
  direction: "received",
  channel: "stdout",
  text,
  ...more,
});

describe("secrets in a message", () => {
  const SECRETS = { PLAIN: "hunter2hunter2", QUOTED: 'pa"ss\\word\n2', PIN: "12345678" };
  const redactor = createRedactor(Object.entries(SECRETS).map(([name, value]) => ({ name, value })));
  const stored = (payload: WireMessage): string => {
    return toNewEvent({ type: "wire.message", payload }, redactor, 0).payload;
  };
  const spellings = (value: string): string[] => {
    const once = JSON.stringify(value).slice(1, -1);
    const twice = JSON.stringify(once).slice(1, -1);
    return [value, once, twice, JSON.stringify(twice).slice(1, -1), Buffer.from(value).toString("base64")];
  };

  it.each(Object.values(SECRETS))("are hidden, however they are spelled: %j", (value) => {
    for (const spelling of spellings(value)) {
      const texts = [
        spelling,
        `garbage ${spelling} {`,
        JSON.stringify({ a: spelling }),
        `{"a": "${spelling}`,
      ];
      for (const text of texts) {
        for (const field of [{}, { name: spelling }, { id: spelling }, { content_type: spelling }]) {
          const payload = stored(message(text, field));
          for (const bad of spellings(value)) expect(payload).not.toContain(JSON.stringify(bad).slice(1, -1));
        }
      }
    }
  });

  it("are replaced so that JSON stays JSON and the platform's words stay", () => {
    const text = JSON.stringify({ pin: 12345678, 'pa"ss\\word\n2': [SECRETS.PLAIN, 7] });
    const payload = JSON.parse(stored(message(text))) as WireMessage;
    expect(JSON.parse(payload.text)).toEqual({
      pin: "[redacted:PIN]",
      "[redacted:QUOTED]": ["[redacted:PLAIN]", 7],
    });
    expect(payload).toMatchObject({ direction: "received", channel: "stdout" });
  });

  it("are left out even where the text was cut inside of one", () => {
    const payload = stored(message("the key is hunter2hun", { dropped_bytes: 100 }));
    expect(payload).not.toContain("hunter2");
  });
});

describe("a recorded run", () => {
  let hub: TestHub | undefined;
  afterEach(() => hub?.close());

  const says = (...reports: AgentReport[]): AgentDriver => ({
    open: () => ({
      async *[Symbol.asyncIterator]() {
        yield* reports;
        yield { kind: "end", end: { status: "completed" } };
      },
    }),
  });
  const wire = (payload: WireMessage): AgentReport => ({
    kind: "event",
    event: { type: "wire.message", payload },
  });

  async function run(driver: AgentDriver, options = {}) {
    hub = await openTestHub({ driver });
    const agent = { protocol: "atp", transport: "stdio", command: ["x"] };
    const { run: submitted } = await hub.hub.submit({ agent, task: { description: "x" }, options });
    return { run: await hub.ended(submitted.id), log: await hub.log(submitted.id) };
  }

  it("does not mistake the canary that was sent for one that leaked", async () => {
    let sent = "";
    const driver: AgentDriver = {
      open: (job, signals) => {
        sent = JSON.stringify(job.context);
        return says(wire(message(sent, { direction: "sent" }))).open(job, signals);
      },
    };
    const { run: ended, log } = await run(driver, { record: true, canary: true });
    expect(ended.status).toBe("completed");
    const stored = log.find(({ type }) => type === "wire.message");
    const [, secret = "?"] = /"environment":\{"[^"]+":"([^"]+)"/.exec(sent) ?? [];
    expect(secret.length).toBeGreaterThan(8);
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it("keeps the beginning of a flood, and records how much was dropped", async () => {
    const large = "x".repeat(4 * 1024 * 1024);
    const { log } = await run(says(...Array.from({ length: 10 }, () => wire(message(large)))), {
      record: true,
    });
    const kept = log.flatMap((event) => (event.type === "wire.message" ? [event.payload] : []));
    expect(kept.slice(0, -1).map(({ text }) => text.length)).toEqual(Array(7).fill(large.length));
    expect(kept.at(-1)).toMatchObject({ channel: "dropped", text: "", dropped_bytes: 3 * large.length });
  });
});
