// Passes when the tools were called in the way that a list says: in this order, exactly these, only these, at least these.
import { z } from "zod";
import type { Json } from "../../core/json.ts";
import { quote } from "../../core/printable.ts";
import type { Check } from "../check.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { pairUp } from "../json/pairing.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";
import { argumentMode, argumentsFit, checkArguments } from "../calls/tool-arguments.ts";
import { observed, toolCalls, toolNames, unnamed } from "../calls/tool-calls.ts";
import type { ToolCall } from "../calls/tool-calls.ts";
import { count, shown } from "../texts/words.ts";

const expectedCall = z.strictObject({
  tool: z.string().min(1),
  input: json.optional(),
});

const config = z
  .strictObject({
    /** Either this or `calls`. */
    tools: toolNames.optional(),
    calls: z.array(expectedCall).min(1).max(1000).optional(),
    mode: z.enum(["strict", "in_order", "unordered", "subset", "superset"]).default("in_order"),
    args: argumentMode.default("exact"),
    observed,
  })
  .superRefine(({ tools, calls, args }, context) => {
    if ((tools === undefined) === (calls === undefined)) {
      context.addIssue({ code: "custom", message: `give either "tools" or "calls"` });
    }
    for (const [index, { input }] of (calls ?? []).entries()) {
      if (input !== undefined) checkArguments(args, input, context, ["calls", index, "input"]);
    }
  });

type Config = z.output<typeof config>;
type Expected = z.output<typeof expectedCall>;

export const toolOrder: Check<Config> = {
  type: "tool_order",
  config,
  async evaluate(subject, { tools = [], calls = tools.map((tool) => ({ tool })), mode, args, observed }) {
    const made = await toolCalls(subject, observed);
    const fits = ({ tool, input }: Expected, call: ToolCall): boolean =>
      tool === call.tool && (input === undefined || argumentsFit(args, input, call.input));
    const wrong = withinCpuTime("the comparison", () => COMPARE[mode](calls, made, fits));
    if (wrong === undefined) return pass(`${count(made.length, "call")} as expected (${mode})`);
    const unclear = unnamed(made);
    if (unclear !== undefined) return unevaluated(`${wrong}, but ${unclear}`);
    return fail(`${wrong}; called: ${trace(made)}`);
  },
};

type Fits = (expected: Expected, call: ToolCall) => boolean;
/** Says what is wrong, or undefined. */
type Compare = (expected: readonly Expected[], made: readonly ToolCall[], fits: Fits) => string | undefined;

const COMPARE: Record<Config["mode"], Compare> = {
  strict(expected, made, fits) {
    for (const [index, one] of expected.entries()) {
      const call = made[index];
      if (!call) return `call ${index + 1} should be ${nameOf(one)}, and there is none`;
      if (!fits(one, call)) return `call ${index + 1} should be ${nameOf(one)}, and is ${nameOf(call)}`;
    }
    return surplus(made[expected.length]);
  },
  in_order(expected, made, fits) {
    let next = 0;
    for (const [index, one] of expected.entries()) {
      while (next < made.length && !fits(one, made[next]!)) next++;
      if (next++ < made.length) continue;
      const after = index === 0 ? "" : ` after ${nameOf(expected[index - 1]!)}`;
      return `no call of ${nameOf(one)}${after}`;
    }
    return undefined;
  },
  unordered: (expected, made, fits) =>
    COMPARE.superset(expected, made, fits) ?? COMPARE.subset(expected, made, fits),
  subset(expected, made, fits) {
    // One call more than expected is enough to find one that is.
    const first = made.slice(0, expected.length + 1);
    const lonely = pairUp(first, expected, (call, one) => fits(one, call)).indexOf(undefined);
    return lonely === -1 ? undefined : surplus(made[lonely]);
  },
  superset(expected, made, fits) {
    const lonely = pairUp(expected, made, fits).indexOf(undefined);
    return lonely === -1 ? undefined : `no call of ${nameOf(expected[lonely]!)}`;
  },
};

function surplus(call: ToolCall | undefined): string | undefined {
  return call && `the call of ${nameOf(call)} in event ${call.sequence} is not expected`;
}

function nameOf({ tool, input }: { tool: string | undefined; input?: Json | undefined }): string {
  return `${quote(tool ?? "?")}${input === undefined ? "" : ` ${shown(input)}`}`;
}

const TRACE = 12;

function trace(made: readonly ToolCall[]): string {
  if (made.length === 0) return "nothing";
  const names = made.slice(0, TRACE).map(({ tool = "?" }) => tool);
  return `${quote(names.join(", "), 300)}${made.length > TRACE ? ` and ${made.length - TRACE} more` : ""}`;
}
