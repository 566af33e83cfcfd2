// Figures and texts as the report shows them. Part of the page: see ../README.md.
import type { Json } from "../../../../core/json.ts";

export type Format = ReturnType<typeof createFormat>;

export function createFormat() {
  // Control characters, and the marks that reorder or break lines on a screen, but for tab and newline.
  const unprintable =
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
  const grouped = new Intl.NumberFormat("en-US");
  const none = "–";

  /** Texts that agents wrote, so that a reader sees what is there and nothing changes place. */
  function visible(text: string): string {
    return text.replaceAll("\r\n", "\n").replace(unprintable, (char) => {
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });
  }

  function count(value: number): string {
    return grouped.format(Math.round(value));
  }

  function plural(value: number, noun: string): string {
    return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
  }

  function digits(value: number, wanted: number): string {
    return Number(value.toPrecision(wanted)).toLocaleString("en-US", { maximumSignificantDigits: wanted });
  }

  function duration(ms: number | undefined | null): string {
    if (ms == null || !Number.isFinite(ms)) return none;
    if (ms < 10) return `${digits(ms, 2)} ms`;
    if (ms < 999.5) return `${Math.round(ms)} ms`;
    if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9995 ? 2 : 1)} s`;
    const minutes = Math.floor(ms / 60_000 + 1 / 120);
    if (minutes < 60) return `${minutes} min ${String(Math.round(ms / 1000) % 60).padStart(2, "0")} s`;
    return `${count(Math.floor(minutes / 60))} h ${String(minutes % 60).padStart(2, "0")} min`;
  }

  /** On an axis: without zeros that say nothing. */
  function tick(ms: number): string {
    if (ms === 0) return "0";
    return duration(ms)
      .replace(/(\.\d*?)0+(?= )/, "$1")
      .replace(/\.(?= )/, "");
  }

  /** Only all is 100%, and only nothing is 0%. */
  function percent(share: number | undefined | null): string {
    if (share == null) return none;
    const whole = share * 100;
    if (whole > 99 && whole < 100) return `${Math.min(99.9, whole).toFixed(1)}%`;
    if (whole > 0 && whole < 1) return `${Math.max(0.1, whole).toFixed(1)}%`;
    return `${Math.round(whole)}%`;
  }

  function interval(low: number, high: number): string {
    return `${percent(low).slice(0, -1)}–${percent(high)}`;
  }

  function money(usd: number | undefined | null): string {
    if (usd == null) return none;
    if (usd === 0) return "$0";
    return Math.abs(usd) < 1 ? `$${digits(usd, 2)}` : `$${grouped.format(Number(usd.toFixed(2)))}`;
  }

  function tokens(value: number | undefined | null): string {
    if (value == null) return none;
    if (value < 100_000) return count(value);
    return value < 999_500 ? `${digits(value / 1000, 3)}k` : `${digits(value / 1e6, 3)}M`;
  }

  function score(value: number | undefined | null): string {
    return value == null ? none : value.toFixed(1);
  }

  function bytes(size: number | undefined): string {
    if (size === undefined) return "";
    if (size < 1024) return plural(size, "byte");
    return size < 1024 * 1024 ? `${digits(size / 1024, 3)} KiB` : `${digits(size / 1024 / 1024, 3)} MiB`;
  }

  function probability(p: number | undefined | null): string {
    if (p == null) return none;
    return p < 0.001 ? "< 0.001" : p.toFixed(3);
  }

  /** In UTC, so that everybody who gets the report reads the same. */
  function time(iso: string): string {
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return iso;
    return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  }

  function json(value: Json | undefined): string {
    return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  }

  function shorten(text: string, limit: number): string {
    return text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
  }

  return {
    visible,
    count,
    plural,
    duration,
    tick,
    percent,
    interval,
    money,
    tokens,
    score,
    bytes,
    probability,
    time,
    json,
    shorten,
    digits,
    none,
  };
}
