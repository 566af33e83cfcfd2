// A collector of traces as `--otlp` names it. What cannot be sent costs a warning, never a verdict.
import type { CliIo } from "../cli-io.ts";
import type { Composition } from "../compose/compose.ts";
import type { Traces } from "../compose/open-traces.ts";

export function openTraces(
  url: string,
  composition: Composition,
  io: CliIo,
  onProblem: () => void = () => undefined,
): Promise<Traces> {
  const { OTEL_EXPORTER_OTLP_HEADERS: headers } = io.env;
  return composition.openTraces({
    url,
    ...(headers !== undefined && { headers }),
    report(problem) {
      onProblem();
      io.stderr.write(`warning: ${problem}\n`);
    },
  });
}
