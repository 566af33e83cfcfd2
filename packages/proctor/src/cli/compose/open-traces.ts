// Sends runs to a collector of OpenTelemetry traces.
import { encodeRun } from "../../telemetry/otlp/encode-run.ts";
import { createOtlpExporter } from "../../telemetry/otlp/exporter.ts";
import { parseOtlpHeaders } from "../../telemetry/otlp/parse-otlp-headers.ts";
import type { Composition } from "../composition.ts";

export const openTraces: Composition["openTraces"] = ({ url, headers, report }) => {
  const exporter = createOtlpExporter({
    url,
    report,
    ...(headers !== undefined && { headers: parseOtlpHeaders(headers) }),
  });
  return Promise.resolve({
    send: async (run, events) => exporter.export(await encodeRun(run, events)),
    close: () => exporter.close(),
  });
};
