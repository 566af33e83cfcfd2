// The subprotocol of ATP on WebSockets: who agrees on it knows that many tasks share a socket.

export const SUBPROTOCOL = "atp.v1";
