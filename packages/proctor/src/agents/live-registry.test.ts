import { openServedRegistry, openTestRegistry } from "../../test/support/test-registry.ts";
import { registryCases } from "../core/ports/registry.case.ts";

registryCases("in this process", () => openTestRegistry());
registryCases("over HTTP", () => openServedRegistry());
