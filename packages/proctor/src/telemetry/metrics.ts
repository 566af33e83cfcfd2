// A small Prometheus registry: counters, gauges and histograms, and their text exposition (format 0.0.4).
// Which metrics exist is said by http-metrics.ts, hub-metrics.ts and process-metrics.ts.

export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  inc(by?: number): void;
}

interface Gauge {
  set(value: number): void;
}

interface Histogram {
  observe(value: number): void;
}

/** A metric with labels. `with` always returns the same series for the same labels: keep it, do not look it up twice. */
interface Family<Series> {
  with(labels: Labels): Series;
}

export interface MetricsRegistry {
  counter(name: string, help: string): Family<Counter>;
  /** A counter whose value is kept elsewhere: set it from a collector. */
  counterValue(name: string, help: string): Family<Gauge>;
  gauge(name: string, help: string): Family<Gauge>;
  histogram(name: string, help: string, buckets: readonly number[]): Family<Histogram>;
  /** Called before each render. When it throws, the last values stay and the failure is counted. */
  collect(collector: () => void | Promise<void>): void;
  render(): Promise<string>;
}

export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

interface FamilyState {
  name: string;
  help: string;
  kind: "counter" | "gauge" | "histogram";
  /** The series of the family by their rendered labels. */
  series: Map<string, () => string>;
}

export function createMetrics(): MetricsRegistry {
  const families = new Map<string, FamilyState>();
  const collectors: (() => void | Promise<void>)[] = [];

  function family<Series>(
    name: string,
    help: string,
    kind: FamilyState["kind"],
    create: (labels: string) => { series: Series; text: () => string },
  ): Family<Series> {
    if (families.has(name)) throw new Error(`the metric ${name} exists`);
    const state: FamilyState = { name, help, kind, series: new Map() };
    families.set(name, state);
    const known = new Map<string, Series>();
    return {
      with(labels) {
        const key = renderLabels(labels);
        const existing = known.get(key);
        if (existing !== undefined) return existing;
        const { series, text } = create(key);
        known.set(key, series);
        state.series.set(key, text);
        return series;
      },
    };
  }

  const settable = (name: string, help: string, kind: "counter" | "gauge"): Family<Gauge> =>
    family(name, help, kind, (labels) => {
      let current = 0;
      return {
        series: {
          set(value) {
            current = value;
          },
        },
        text: () => sample(name, labels, current),
      };
    });

  const registry: MetricsRegistry = {
    counter: (name, help) =>
      family(name, help, "counter", (labels) => {
        let total = 0;
        return {
          series: {
            inc(by = 1) {
              total += by;
            },
          },
          text: () => sample(name, labels, total),
        };
      }),
    counterValue: (name, help) => settable(name, help, "counter"),
    gauge: (name, help) => settable(name, help, "gauge"),
    histogram: (name, help, buckets) =>
      family(name, help, "histogram", (labels) => createHistogram(name, labels, buckets)),
    collect(collector) {
      collectors.push(collector);
    },
    async render() {
      const outcomes = await Promise.allSettled(collectors.map(async (collector) => collector()));
      failures.inc(outcomes.filter((outcome) => outcome.status === "rejected").length);
      return Array.from(families.values(), renderFamily).join("");
    },
  };
  const failures = registry
    .counter("proctor_scrape_failures_total", "Values that could not be read when metrics were asked for.")
    .with({});
  return registry;
}

function createHistogram(name: string, labels: string, bounds: readonly number[]) {
  const counts = bounds.map(() => 0);
  let sum = 0;
  let count = 0;
  const bucket = (bound: string) =>
    labels === "" ? `{le="${bound}"}` : `${labels.slice(0, -1)},le="${bound}"}`;
  return {
    series: {
      observe(value: number) {
        sum += value;
        count += 1;
        const index = bounds.findIndex((bound) => value <= bound);
        if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
      },
    },
    text() {
      let below = 0;
      const lines = bounds.map((bound, index) => {
        below += counts[index] ?? 0;
        return sample(`${name}_bucket`, bucket(String(bound)), below);
      });
      lines.push(sample(`${name}_bucket`, bucket("+Inf"), count));
      lines.push(sample(`${name}_sum`, labels, sum), sample(`${name}_count`, labels, count));
      return lines.join("");
    },
  };
}

function renderFamily({ name, help, kind, series }: FamilyState): string {
  const head = `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${kind}\n`;
  return head + Array.from(series.values(), (text) => text()).join("");
}

function sample(name: string, labels: string, value: number): string {
  return `${name}${labels} ${renderValue(value)}\n`;
}

function renderValue(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return String(value);
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
