import { describeTraceability } from "../traceability.case.ts";

describeTraceability({
  name: "document 004, section 2.1",
  folder: new URL(".", import.meta.url),
  sections: [["2.1 Message Structure", 12]],
});
