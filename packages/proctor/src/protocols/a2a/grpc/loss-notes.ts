// Where a walk through a message stands, and what is lost there on the way to the other form.
import type { Json } from "../../../core/json.ts";
import type { Loss } from "../codec.ts";

export interface LossNotes {
  /** The notes of a field or an entry. */
  at(key: string | number): LossNotes;
  /** Notes what happened to what stands here, or to a field of it. */
  lose(message: string, field?: string): void;
  /** Notes the fields that the other form has no place for, as far as they hold anything. */
  drop(fields: Readonly<Record<string, Json | undefined>>): void;
}

interface LossNotesOptions {
  /** Absent where nobody asks. */
  losses: Loss[] | undefined;
  /** The form that is written: "the .proto of A2A 0.3". */
  form: string;
  path?: string;
}

export function createLossNotes({ losses, form, path = "" }: LossNotesOptions): LossNotes {
  const pathOf = (key: string | number): string => {
    if (typeof key === "number") return `${path}[${key}]`;
    return path === "" ? key : `${path}.${key}`;
  };
  const notes: LossNotes = {
    at: (key) => (losses ? createLossNotes({ losses, form, path: pathOf(key) }) : notes),
    lose: (message, field) => {
      losses?.push({ path: field === undefined ? path : pathOf(field), message });
    },
    drop(fields) {
      for (const [field, value] of Object.entries(fields)) {
        if (!isNothing(value)) notes.lose(`has no place in ${form}, and was left out`, field);
      }
    },
  };
  return notes;
}

/** What protobuf does not send either. */
function isNothing(value: Json | undefined): boolean {
  if (value == null || value === "" || value === false || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
