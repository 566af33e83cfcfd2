// Notes the messages of a recorded run as they travel, for the driver to report. A run that is not recorded has no tap, and
// so pays nothing.
import type { AgentReport, Job } from "../core/ports/driver.ts";
import type { WireMessage } from "../core/recording.ts";

type More = Omit<Partial<WireMessage>, "direction" | "channel" | "text">;

export interface WireTap {
  sent(channel: string, text: string, more?: More): void;
  received(channel: string, text: string, more?: More): void;
  /** Returns the messages that were noted since the last call, as reports. */
  take(): AgentReport[];
  /** Yields the reports of a session, each preceded by the messages that had travelled until then. */
  over(reports: AsyncGenerator<AgentReport>): AsyncGenerator<AgentReport>;
}

/** Returns the reports of a session. `converse` notes its messages where the run is recorded. */
export function tapped(
  job: Job,
  converse: (tap: WireTap | undefined) => AsyncGenerator<AgentReport>,
): AsyncIterable<AgentReport> {
  return {
    [Symbol.asyncIterator]() {
      const tap = createWireTap(job);
      const reports = converse(tap);
      return tap?.over(reports) ?? reports;
    },
  };
}

export function createWireTap({ record }: Job): WireTap | undefined {
  if (record !== true) return undefined;
  let noted: AgentReport[] = [];

  function note(payload: WireMessage): void {
    noted.push({ kind: "event", event: { type: "wire.message", payload } });
  }

  function take(): AgentReport[] {
    const taken = noted;
    noted = [];
    return taken;
  }

  return {
    sent: (channel, text, more) => note({ direction: "sent", channel, text, ...more }),
    received: (channel, text, more) => note({ direction: "received", channel, text, ...more }),
    take,
    async *over(reports) {
      for await (const report of reports) {
        for (const message of take()) yield message;
        yield report;
      }
    },
  };
}
