// Messages about an exporter's troubles: one line for each new kind of trouble, silence while it lasts, and
// never a secret, whatever the collector echoes.
import { shortened } from "./text.ts";

export interface Reporter {
  lost(spans: number, trouble: string, next: string): void;
  /** A batch was taken, perhaps with a warning. */
  arrived(warning: string | undefined): void;
  /** Reports the troubles that were kept quiet. */
  close(): void;
}

interface ReporterOptions {
  /** The collector's address as messages show it. */
  shown: string;
  secrets: readonly string[];
  report: ((message: string) => void) | undefined;
}

const TEXT_BYTES = 300;

export function createReporter({ shown, secrets, report }: ReporterOptions): Reporter {
  let last: string | undefined;
  let untold = 0;

  function tell(message: string): void {
    try {
      report?.(`${shown}: ${message}`);
    } catch {
      // A failing message sink must not cost the spans that still wait.
    }
  }

  function tellRest(when: string): void {
    if (untold > 0) tell(`${when}; ${counted(untold, "more span")} not exported meanwhile.`);
    untold = 0;
  }

  return {
    lost(spans, trouble, next) {
      const what = clean(trouble, secrets);
      if (what === last) untold += spans;
      else tell(`${what}; ${counted(spans, "span")} not exported. What next: ${next}.`);
      last = what;
    },
    arrived(warning) {
      tellRest("takes spans again");
      const said = warning === undefined ? undefined : clean(warning, secrets);
      if (said !== undefined && said !== last) tell(`took the spans and says: ${said}`);
      last = said;
    },
    close() {
      tellRest("did not recover");
    },
  };
}

function counted(spans: number, word: string): string {
  return spans === 1 ? `1 ${word} was` : `${spans} ${word}s were`;
}

/** Returns one line of printable text, because a collector's answer may hold anything. */
function clean(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) {
    // "Bearer abc": the key may come back alone.
    for (const part of [secret, ...secret.split(/\s+/)]) {
      if (part.length >= 6) safe = safe.replaceAll(part, "***");
    }
  }
  return shortened(safe.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim(), TEXT_BYTES);
}
