// Cuts the bytes of an event stream into its events, each as the text between two empty lines, with line feeds only.

interface EventSplitter {
  /** Adds bytes and returns the events that are complete now. */
  push(bytes: Uint8Array): string[];
  /** Returns the number of characters kept of an incomplete event. */
  pendingChars(): number;
  /** Returns the last events, even one without an empty line behind it. */
  end(): string[];
}

export function createEventSplitter(): EventSplitter {
  const decoder = new TextDecoder();
  let rest = "";
  /** True when the text ended with a carriage return, to which a line feed that follows belongs. */
  let afterReturn = false;

  function take(text: string): string[] {
    if (text === "") return [];
    const fresh = afterReturn && text.startsWith("\n") ? text.slice(1) : text;
    afterReturn = text.endsWith("\r");
    // The search starts where new bytes may have completed an empty line.
    let from = Math.max(0, rest.length - 1);
    rest += fresh.replace(/\r\n?/g, "\n");
    const events: string[] = [];
    let start = 0;
    for (let end = rest.indexOf("\n\n", from); end !== -1; end = rest.indexOf("\n\n", from)) {
      events.push(rest.slice(start, end));
      start = from = end + 2;
    }
    rest = rest.slice(start);
    return events.map(withoutBlanks).filter((event) => event !== "");
  }

  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    pendingChars: () => rest.length,
    end() {
      const events = take(decoder.decode());
      const last = withoutBlanks(rest.replace(/\n$/, ""));
      rest = "";
      return last === "" ? events : [...events, last];
    },
  };
}

/** Removes the additional empty lines before an event, which mean nothing. */
function withoutBlanks(event: string): string {
  return event.replace(/^\n+/, "");
}
