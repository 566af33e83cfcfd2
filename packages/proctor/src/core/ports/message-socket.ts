// A connection that carries whole text messages both ways. channels/websocket makes them, as client and as server.

export interface MessageSocket {
  /** The subprotocol that both sides agreed on; empty when there is none. */
  readonly protocol: string;
  /** Text messages in order. Ends when the socket closes; not reading holds the peer back. */
  readonly messages: AsyncIterable<string>;
  /** Resolves with true when the system took the message, so that a sender that awaits it never outruns the peer; with false after the close. */
  send(text: string): Promise<boolean>;
  /** Starts the closing handshake; cuts the connection when the peer does not answer it. */
  close(code: number, reason: string): void;
  /** Resolves with how the connection ended; never rejects. */
  readonly closed: Promise<SocketClose>;
}

export interface SocketClose {
  /** The close code; 1006 when the connection broke without a closing handshake. */
  code: number;
  reason: string;
}
