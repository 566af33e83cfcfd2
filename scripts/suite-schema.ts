// Writes the suite format for editors as JSON Schema, from the schemas that read suites. The build runs it: the file is packed with
// the program, and not committed.
import { writeFileSync } from "node:fs";
import { suiteJsonSchema } from "./suite-format/json-schema.ts";

const file = new URL("../packages/proctor/suite.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(suiteJsonSchema(), null, 2)}\n`);
