// Who sends the spans: OTLP's resource and instrumentation scope.
import { readFileSync } from "node:fs";
import { attributes, type AttributeRecord } from "./attributes.ts";
import type { OtlpResourceSpans, OtlpScopeSpans } from "./otlp.ts";

const NAME = "proctor";
let version: string | undefined;

export interface ResourceOptions {
  serviceName?: string;
  attributes?: Record<string, string | number | boolean>;
}

/** As with OTEL_SERVICE_NAME, an explicit name wins over one among the attributes, and those over the defaults. */
export function resource(options: ResourceOptions): OtlpResourceSpans["resource"] {
  const record: AttributeRecord = {
    "service.name": NAME,
    "service.version": proctorVersion(),
    "telemetry.sdk.name": NAME,
    "telemetry.sdk.language": "nodejs",
    "telemetry.sdk.version": proctorVersion(),
    ...options.attributes,
    ...(options.serviceName !== undefined && { "service.name": options.serviceName }),
  };
  return { attributes: attributes(record) };
}

export function scope(): OtlpScopeSpans["scope"] {
  return { name: NAME, version: proctorVersion() };
}

/** Reads the version from package.json, which has the same relative path from src/ and from dist/. */
function proctorVersion(): string {
  if (version !== undefined) return version;
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  // Our own package.json, which npm refuses to install without a version.
  version = (JSON.parse(text) as { version: string }).version;
  return version;
}
