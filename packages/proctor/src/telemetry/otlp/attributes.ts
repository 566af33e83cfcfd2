// Attributes of spans, events and resources: a plain record in, OTLP's list of typed values out.
import { isAmount } from "../../core/metrics.ts";
import type { OtlpAttribute, OtlpValue } from "./otlp.ts";
import { LABEL_BYTES, shortened } from "./text.ts";

export type AttributeValue = string | number | boolean | readonly string[] | Double;
/** A number that is a double even when it is whole, so that an attribute has one type. */
interface Double {
  double: number;
}
/** Attributes by name; an undefined one is left out. */
export type AttributeRecord = Record<string, AttributeValue | undefined>;

/** Most bytes of one string. Content is far shorter; written as JSON within a string, a byte of it may take six. */
const VALUE_BYTES = 32 * 1024;

export function attributes(record: AttributeRecord): OtlpAttribute[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const encoded = encodeValue(value);
    return encoded === undefined || key === "" ? [] : [{ key: shortened(key, LABEL_BYTES), value: encoded }];
  });
}

/** Returns a count as OTLP wants it, because agents send fractions, negative numbers and strings. */
export function count(value: unknown): number | undefined {
  if (!isAmount(value)) return undefined;
  return Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);
}

/** A measured number that may be a fraction. */
export function amount(value: unknown): Double | undefined {
  return isAmount(value) ? { double: value } : undefined;
}

function encodeValue(value: AttributeValue | undefined): OtlpValue | undefined {
  switch (typeof value) {
    case "string":
      return { stringValue: shortened(value, VALUE_BYTES) };
    case "boolean":
      return { boolValue: value };
    case "number":
      return encodeNumber(value);
    case "object":
      if ("double" in value) return { doubleValue: value.double };
      return {
        arrayValue: { values: value.map((item) => ({ stringValue: shortened(item, VALUE_BYTES) })) },
      };
    default:
      return undefined;
  }
}

function encodeNumber(value: number): OtlpValue | undefined {
  // JSON cannot write infinity or NaN.
  if (!Number.isFinite(value)) return undefined;
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
