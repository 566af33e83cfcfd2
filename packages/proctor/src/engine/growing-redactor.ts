// The redactor of a run in flight: secrets may be added while it runs, by answers to questions about credentials.
import { createRedactor, type Redactor, type Secret } from "../core/redact.ts";

export interface GrowingRedactor extends Redactor {
  add(secrets: readonly Secret[]): void;
}

export function createGrowingRedactor(first: readonly Secret[]): GrowingRedactor {
  let secrets = [...first];
  let current = createRedactor(secrets);
  const growing: GrowingRedactor & { active: boolean } = {
    active: current.active,
    text: (text) => current.text(text),
    json: (text) => current.json(text),
    value: (value) => current.value(value),
    bytes: (bytes) => current.bytes(bytes),
    /** Hides secrets that are added while a text is said in the rest of it. */
    stream(before) {
      let made = current;
      let stream = made.stream(before);
      const now = (): ReturnType<Redactor["stream"]> => {
        if (made !== current) stream = current.stream(stream.held());
        made = current;
        return stream;
      };
      return { push: (chunk) => now().push(chunk), end: () => now().end(), held: () => now().held() };
    },
    add(more) {
      if (more.length === 0) return;
      secrets = [...secrets, ...more];
      current = createRedactor(secrets);
      growing.active = current.active;
    },
  };
  return growing;
}
