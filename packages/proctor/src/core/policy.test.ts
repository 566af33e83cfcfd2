import { describe, expect, it } from "vitest";
import { textPart } from "./message.ts";
import { decide, policyFor } from "./policy.ts";
import type { PolicyRule } from "./conversation-options.ts";

const about = (subject: { tool?: string; path?: string }) => ({
  kind: "permission" as const,
  parts: [textPart("May I?")],
  subject,
});

function fits(rule: Omit<PolicyRule, "policy">, subject: { tool?: string; path?: string }): boolean {
  return policyFor(about(subject), { rules: [{ ...rule, policy: "allow" }] }) === "allow";
}

describe("the policy for a question", () => {
  it("takes the first rule that fits, then the kind, then asks", () => {
    const rules = [
      { tool: "rm", policy: "deny" as const },
      { tool: "*", policy: "allow" as const },
    ];
    expect(policyFor(about({ tool: "rm" }), { rules })).toBe("deny");
    expect(policyFor(about({ tool: "ls" }), { rules })).toBe("allow");
    expect(policyFor(about({}), { rules, policy: { permission: "ask_human" } })).toBe("ask_human");
    expect(policyFor(about({}), {})).toBe("ask");
  });

  it.each([
    ["read_*", "read_file", true],
    ["read_*", "write_file", false],
    ["*", "", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*b", "ab-", false],
    ["read.file", "readXfile", false],
  ])("compares the pattern %s of a tool with %s", (tool, name, expected) => {
    expect(fits({ tool }, { tool: name })).toBe(expected);
  });

  it.each([
    ["/tmp/*", "/tmp/x", true],
    ["/tmp/*", "/tmp/x/y", false],
    ["/tmp/**", "/tmp/x/y", true],
    ["/tmp/**", "/tmp/../etc/passwd", false],
    ["/etc/*.conf", "/etc/a.conf", true],
    ["/etc/*.conf", "/etc/d/a.conf", false],
    ["**/secrets/*", "/a/b/secrets/key", true],
  ])("compares the pattern %s of a path with %s", (path, name, expected) => {
    expect(fits({ path }, { path: name })).toBe(expected);
  });

  it("is found at once, however many stars stand against however long a name", () => {
    expect(fits({ tool: `${"*a".repeat(200)}b` }, { tool: "a".repeat(4000) })).toBe(false);
    expect(fits({ tool: "*" }, { tool: "a".repeat(5000) })).toBe(false);
  });

  it("is to deny, or to fail, where nobody can be asked", () => {
    expect(decide(about({}), undefined)).toMatchObject({ kind: "answer", answer: { outcome: "declined" } });
    expect(decide({ kind: "input", parts: [] }, undefined)).toEqual({ kind: "fail" });
  });
});
