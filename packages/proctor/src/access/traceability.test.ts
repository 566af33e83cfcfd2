import { describeTraceability } from "../protocols/traceability.case.ts";

describeTraceability({
  name: "document 004, tokens",
  folder: new URL(".", import.meta.url),
  sections: [["5. Security & Isolation", 3]],
});
