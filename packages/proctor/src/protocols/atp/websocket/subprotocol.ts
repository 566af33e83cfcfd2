// The subprotocol of ATP on WebSockets: an agent or client that agrees on it knows that many tasks share a socket.

export const SUBPROTOCOL = "atp.v1";
