// Which media types are accepted and answered: docs/reference/atp.md, "HTTP". Every SDK that serves HTTP runs these cases.

export const ATP = "application/vnd.atp.v1+json";
const JSON_TYPE = "application/json";
const NEXT = "application/vnd.atp.v2+json";

/** Content-Type and Accept of a request (undefined for no Accept), and the Content-Type of the answer. */
export const ANSWERED_TYPES: readonly (readonly [string, string | undefined, string])[] = [
  [ATP, ATP, ATP],
  [ATP, undefined, ATP],
  [ATP, "*/*", ATP],
  [ATP, "application/*", ATP],
  [ATP, JSON_TYPE, JSON_TYPE],
  [ATP, `${NEXT}, ${JSON_TYPE};q=0.1`, JSON_TYPE],
  [JSON_TYPE, undefined, JSON_TYPE],
  [JSON_TYPE, JSON_TYPE, JSON_TYPE],
  [JSON_TYPE, `${JSON_TYPE};q=0.5, ${ATP}`, ATP],
  [JSON_TYPE, `${NEXT}, ${ATP};q=0.5`, ATP],
  ["Application/JSON; charset=UTF-8", "*/*", JSON_TYPE],
  ["application/json; charset=utf-8", `${ATP};q=0.1, application/json;q=0.9`, JSON_TYPE],
];

/** Content-Type and Accept of a request, and the status of its refusal on both paths. */
export const REFUSED_TYPES: readonly (readonly [string, string, number])[] = [
  [NEXT, "*/*", 415],
  ["text/plain", "*/*", 415],
  ["application/x-www-form-urlencoded", "*/*", 415],
  ["application/json; charset=latin1", "*/*", 415],
  ["application/json; charset=utf-16", "*/*", 415],
  [JSON_TYPE, NEXT, 406],
  [JSON_TYPE, "text/html", 406],
  [JSON_TYPE, `${JSON_TYPE};q=0`, 406],
];
