// Sends runs to a collector of OpenTelemetry traces.
import { encodeRun } from "../../telemetry/otlp/encode-run.ts";
import { createOtlpExporter } from "../../telemetry/otlp/exporter.ts";
import { parseOtlpHeaders } from "../../telemetry/otlp/parse-otlp-headers.ts";
import type { RunEvent } from "../../core/event.ts";
import type { Run } from "../../core/run.ts";

export interface TracesOptions {
  url: string;
  /** Headers in the form of OTEL_EXPORTER_OTLP_HEADERS: `key=value,key=value`. */
  headers?: string;
  /** Called with what could not be sent. */
  report: (problem: string) => void;
}

export interface Traces {
  send(run: Run, events: AsyncIterable<RunEvent>): Promise<void>;
  /** Waits a moment for traces that are being sent. */
  close(): Promise<void>;
}

export function openTraces({ url, headers, report }: TracesOptions): Traces {
  const exporter = createOtlpExporter({
    url,
    report,
    ...(headers !== undefined && { headers: parseOtlpHeaders(headers) }),
  });
  return {
    send: async (run, events) => exporter.export(await encodeRun(run, events)),
    close: () => exporter.close(),
  };
}
