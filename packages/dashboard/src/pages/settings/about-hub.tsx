// What the hub says about itself: its version, and what it uses.
import { pagePath } from "../../api/address.ts";
import { hub } from "../../api/hub.ts";
import { bytes, count, duration } from "../../components/format.ts";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";

export function AboutHub() {
  const health = useLoad("health", (signal) => hub.health(signal));
  const metrics = useLoad("metrics", (signal) => hub.metrics(signal));
  const { settings } = texts;
  const version = health.value?.["version"];
  const facts: [string, string | undefined][] = [
    [settings.version, typeof version === "string" ? version : undefined],
    [settings.memory, shown(metrics.value, "process_resident_memory_bytes", bytes)],
    [settings.cpu, shown(metrics.value, "process_cpu_seconds_total", (value) => duration(value * 1000))],
    [settings.events, shown(metrics.value, "proctor_events_appended_total", count)],
    [settings.runs, shown(metrics.value, "proctor_runs_total", count)],
  ];
  return (
    <section>
      <h2>{settings.hub}</h2>
      <dl class="facts">
        {facts.flatMap(([name, value]) =>
          value === undefined ? [] : [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>],
        )}
      </dl>
      <p>
        <a href={pagePath("docs")}>{settings.api}</a>
      </p>
    </section>
  );
}

/** The sum of a metric's samples, in the format of Prometheus. */
function shown(
  text: string | undefined,
  name: string,
  format: (value: number) => string,
): string | undefined {
  const samples = [...(text ?? "").matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+-]+)$`, "gm"))];
  if (samples.length === 0) return undefined;
  return format(samples.reduce((sum, [, value]) => sum + Number(value), 0));
}
