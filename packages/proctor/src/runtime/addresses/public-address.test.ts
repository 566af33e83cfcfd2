import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

describe("whether an address is public", () => {
  it.each([
    ["1.1.1.1", true],
    ["2606:4700::1111", true],
    ["127.0.0.1", false],
    ["0.0.0.0", false],
    ["10.1.2.3", false],
    ["100.100.100.200", false],
    ["169.254.169.254", false],
    ["172.31.0.1", false],
    ["172.32.0.1", true],
    ["192.168.1.1", false],
    ["224.0.0.1", false],
    ["255.255.255.255", false],
    ["::", false],
    ["::1", false],
    ["::ffff:8.8.8.8", false],
    ["64:ff9b::7f00:1", false],
    ["2002:7f00:1::", false],
    ["fd00:ec2::254", false],
    ["fe80::1", false],
    ["ff02::1", false],
    ["example.com", false],
  ])("is known for %s: %s", (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });
});
