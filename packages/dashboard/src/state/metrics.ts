// Samples of the hub's metrics, which are in the text format of Prometheus.

/** Returns the sum of a metric's samples, of those with this label where one is given; undefined where there are none. */
export function metric(text: string | undefined, name: string, label?: [string, string]): number | undefined {
  const labels = label === undefined ? "(?:\\{[^}]*\\})?" : `\\{[^}]*\\b${label[0]}="${label[1]}"[^}]*\\}`;
  const samples = [...(text ?? "").matchAll(new RegExp(`^${name}${labels} ([\\d.e+-]+)$`, "gm"))];
  if (samples.length === 0) return undefined;
  return samples.reduce((sum, [, value]) => sum + Number(value), 0);
}
