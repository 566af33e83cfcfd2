// What reached the downstream agent and the OAuth server, held against what a declarative test expects.
import type { JsonObject } from "../../core/json.ts";
import { quote } from "../../core/printable.ts";
import type { CancellationCheck, DownstreamAuthCheck, TokenRequestCheck } from "./expected-schema.ts";
import { subsetProblems } from "./match-subset.ts";
import type { Observation, ObservedRequest, ObservedTokenRequest } from "../../core/observation.ts";

/** Requests are expected in order; there may be more. */
export function requestProblems(
  requests: readonly ObservedRequest[],
  expected: readonly JsonObject[],
): string[] {
  if (requests.length < expected.length) {
    const methods = requests.map(({ method }) => method).join(", ") || "none";
    return [`${expected.length} requests are expected downstream, and ${requests.length} came: ${methods}`];
  }
  return expected.flatMap((wanted, index) =>
    subsetProblems(requests[index]?.body, wanted, `assert_downstream_request[${index}]`),
  );
}

export function authProblems(requests: readonly ObservedRequest[], expected: DownstreamAuthCheck): string[] {
  const { request_index: index, authorization_header: authorization, api_key_header: key } = expected;
  const request = requests[index];
  if (!request) return [`there is no downstream request ${index}; ${requests.length} came`];
  const { authorization: value = "", "x-api-key": apiKey = "" } = request.headers;
  const problems: string[] = [];
  const { exact, starts_with: start, contains } = authorization ?? {};
  if (exact !== undefined && value !== exact) problems.push(`is ${quote(value)}, not ${quote(exact)}`);
  if (start !== undefined && !value.startsWith(start)) problems.push(`does not start with ${quote(start)}`);
  if (contains !== undefined && !value.includes(contains))
    problems.push(`does not contain ${quote(contains)}`);
  return [
    ...problems.map((problem) => `the Authorization header of request ${index} ${problem}`),
    ...(key !== undefined && key !== apiKey
      ? [`the X-API-Key header of request ${index} is ${quote(apiKey)}`]
      : []),
  ];
}

export function tokenProblems(
  requests: readonly ObservedTokenRequest[],
  expected: TokenRequestCheck,
): string[] {
  const { token_url: url, call_count: count, request_body_contains: body } = expected;
  const made = requests.filter(({ token_url }) => token_url === url);
  const problems: string[] = [];
  if (count !== undefined && made.length !== count)
    problems.push(`${url} was asked for a token ${made.length} times, not ${count}`);
  if (body && made.length === 0) problems.push(`${url} was not asked for a token`);
  if (body)
    problems.push(...made.flatMap((request) => subsetProblems(request.body, body, `the request to ${url}`)));
  return problems;
}

export function cancellationProblems(
  { sent, downstream_task_ids: ids }: Observation["cancellation"],
  { gateway_sent, downstream_received, downstream_task_id: id }: CancellationCheck,
): string[] {
  const received = ids.length > 0;
  return [
    ...(gateway_sent !== undefined && gateway_sent !== sent
      ? [`the gateway was ${sent ? "" : "not "}asked to cancel`]
      : []),
    ...(downstream_received !== undefined && downstream_received !== received
      ? [`the downstream agent was ${received ? "" : "not "}asked to cancel`]
      : []),
    ...(id !== undefined && (id === "*" ? !received : !ids.includes(id))
      ? [`the downstream agent was asked to cancel ${ids.join(", ") || "nothing"}, not ${id}`]
      : []),
  ];
}
