// The signature of a delivery: `t=<unix seconds>,v1=<hex>`. The time is signed with the body, so that an old delivery cannot be passed
// off as a new one.
import { createHmac } from "node:crypto";

export function sign(secret: string, body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000);
  const digest = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
