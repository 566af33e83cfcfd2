export interface SdkServer {
  url: string;
  close(): Promise<void>;
}

export function serveSdk1(
  binding: "JSONRPC" | "HTTP+JSON",
  options?: { streaming?: boolean },
): Promise<SdkServer>;

export function serveSdk03(
  binding: "JSONRPC" | "HTTP+JSON",
  options?: { streaming?: boolean },
): Promise<SdkServer>;
