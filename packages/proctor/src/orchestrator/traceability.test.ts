import { describeTraceability } from "../protocols/traceability.case.ts";

describeTraceability({
  name: "document 004, section 4, and the decisions about it",
  folder: new URL(".", import.meta.url),
  sections: [
    ["4. Orchestration Flow: Planner", 2],
    ["4. Orchestration Flow: Router", 1],
    ["4. Orchestration Flow: Executor", 3],
    ["4. Orchestration Flow: Reviewer", 1],
    ["Decisions: Planner", 6],
    ["Decisions: TaskTree", 3],
    ["Decisions: Router", 4],
    ["Decisions: Executor", 8],
    ["Decisions: Reviewer", 5],
    ["Attacks", 15],
  ],
});
