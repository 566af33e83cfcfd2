// The sentence of document 004 about script tools, and the tests that hold it.
import { describeTraceability } from "../protocols/traceability.case.ts";

describeTraceability({
  name: "document 004 about script tools",
  folder: new URL(".", import.meta.url),
  sections: [["Security & Isolation", 8]],
});
