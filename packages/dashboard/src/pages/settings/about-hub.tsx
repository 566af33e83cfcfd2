// What the hub says about itself: its version, and what it uses.
import { pagePath } from "../../api/address.ts";
import { hub } from "../../api/hub.ts";
import { bytes, count, duration } from "../../components/format.ts";
import { metric } from "../../state/metrics.ts";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";

export function AboutHub() {
  const health = useLoad("health", (signal) => hub.health(signal));
  const metrics = useLoad("metrics", (signal) => hub.metrics(signal));
  const { settings } = texts;
  const shown = (name: string, format: (value: number) => string): string | undefined => {
    const value = metric(metrics.value, name);
    return value === undefined ? undefined : format(value);
  };
  const room = (holds: string): string | undefined => {
    const free = metric(metrics.value, "proctor_disk_free_bytes", ["holds", holds]);
    const size = metric(metrics.value, "proctor_disk_size_bytes", ["holds", holds]);
    return free === undefined || size === undefined ? undefined : settings.of(bytes(free), bytes(size));
  };
  const version = health.value?.["version"];
  const facts: [string, string | undefined][] = [
    [settings.version, typeof version === "string" ? version : undefined],
    [settings.memory, shown("process_resident_memory_bytes", bytes)],
    [settings.cpu, shown("process_cpu_seconds_total", (value) => duration(value * 1000))],
    [settings.events, shown("proctor_events_appended_total", count)],
    [settings.runs, shown("proctor_runs_total", count)],
    [settings.database, shown("proctor_database_bytes", bytes)],
    [settings.free.data, room("data")],
    [settings.free.artifacts, room("artifacts")],
  ];
  return (
    <section>
      <h2>{settings.hub}</h2>
      <dl class="facts">
        {facts.flatMap(([name, value]) =>
          value === undefined ? [] : [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>],
        )}
      </dl>
      <p class="more">
        <a href={pagePath("docs")}>{settings.api}</a>
      </p>
    </section>
  );
}
