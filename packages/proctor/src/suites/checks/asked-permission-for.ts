// Passes when the agent asked whether it may use a tool, or touch a path.
import { z } from "zod";
import { fitsQuestion, needsOption } from "../../core/policy.ts";
import { quote } from "../../core/printable.ts";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { listQuestions, questionsIn } from "../talk/questions-in.ts";

const config = z
  .strictObject({
    /** The name of the tool; `*` stands for any characters. */
    tool: z.string().min(1).optional(),
    /** The path; `*` and `**` as in file patterns. */
    path: z.string().min(1).optional(),
  })
  .refine(({ tool, path }) => tool !== undefined || path !== undefined, `give it a "tool" or a "path"`);

export const askedPermissionFor: Check<z.output<typeof config>> = {
  type: "asked_permission_for",
  config,
  async evaluate(subject, { tool, path }) {
    const all = await questionsIn(subject);
    const rule = { ...(tool !== undefined && { tool }), ...(path !== undefined && { path }) };
    const found = all.some((question) => needsOption(question.kind) && fitsQuestion(rule, question));
    const what = [
      ...(tool === undefined ? [] : [`the tool ${quote(tool)}`]),
      ...(path === undefined ? [] : [`the path ${quote(path)}`]),
    ].join(" and ");
    return found
      ? pass(`permission asked for ${what}`)
      : fail(`no permission asked for ${what}; ${listQuestions(all)}`);
  },
};
