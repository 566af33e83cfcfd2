import { expect, it } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import { refusal } from "./execution.ts";
import { describeAtp } from "./openapi.ts";

it.each(["01890000-0000-7000-8000-000000000000", "no UUID", undefined])(
  "describes the refusal of a request whose task_id is %j",
  (taskId) => {
    const refused = refusal(new ProctorError("AGENT_NOT_FOUND", "there is no such agent"), taskId);
    for (const { id, responses } of describeAtp().routes) {
      if (id !== "connectAtp")
        expect([id, responses[404]?.schema?.safeParse(refused).success]).toEqual([id, true]);
    }
  },
);
