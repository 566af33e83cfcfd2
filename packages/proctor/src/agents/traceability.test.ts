import { describeTraceability } from "../protocols/traceability.case.ts";

describeTraceability({
  name: "document 004, sections 2.2 and 3",
  folder: new URL(".", import.meta.url),
  sections: [
    ["2.2 Capability Schema", 3],
    ["3. Agent Registry", 4],
  ],
});
