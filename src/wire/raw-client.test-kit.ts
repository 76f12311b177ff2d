/** A client that sends bytes as they are, such as no HTTP library would. */
import { connect, type Socket } from "node:net";

/** Everything that comes back, as Latin-1, until the server closes; a reset is an end, too. */
export async function received(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on("data", (piece) => pieces.push(piece)).on("error", () => undefined);
  await new Promise((resolve) => socket.once("close", resolve));
  return Buffer.concat(pieces).toString("latin1");
}

/** Sends raw bytes to the port of a URL, and gives everything that comes back. @param isLast whether nothing follows them */
export function talk(url: string, text: string, isLast = false): Promise<string> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  if (isLast) socket.end(text);
  else socket.write(text);
  return received(socket);
}
