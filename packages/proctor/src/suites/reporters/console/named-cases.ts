// Cases that the summary names, up to a limit: those that are flaky, or that need more runs.
import { formatCount } from "../amounts.ts";

interface NamedCases {
  add(text: string): void;
  /** The names as one text, empty when there are none. */
  text(): string;
}

const MAX_NAMED = 10;

export function createNamedCases(): NamedCases {
  const named: string[] = [];
  let count = 0;
  return {
    add(text) {
      count += 1;
      if (named.length < MAX_NAMED) named.push(text);
    },
    text() {
      const more = count > named.length ? `, … and ${formatCount(count - named.length)} more` : "";
      return `${named.join(", ")}${more}`;
    },
  };
}
