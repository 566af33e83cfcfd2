import { describeTraceability } from "../../protocols/traceability.case.ts";

describeTraceability({
  name: "document 001",
  folder: new URL(".", import.meta.url),
  sections: [
    ["1. Objective", 3],
    ["2. Core Concepts", 5],
    ["3.1 TestA2AAgentServer", 5],
    ["3.2 DeclarativeAgentExecutor", 6],
    ["3.3 conftest.py Integration", 2],
    ["4.1 Control Directives", 1],
    ["4.2 responses_json Schema", 4],
    ["5. Artifact Handling Workflow", 2],
    ["6. Example Declarative Test", 1],
    ["7. Conclusion", 1],
  ],
});
