/** A proxy as companies have it, for tests: it demands a user and a password, and knows names that no resolver knows. */
import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export const proxyPassword = "maplewindow-77";

export interface CompanyProxy {
  /** Its address with user and password. */
  readonly url: string;
  /** The address without them. */
  readonly bare: string;
  /** What it was asked to connect to, and whether it did. */
  readonly asked: { readonly target: string; readonly let: boolean }[];
}

/** @param hosts ports of this machine by `HOST:PORT` */
export async function companyProxy(hosts: Readonly<Record<string, number>>): Promise<CompanyProxy> {
  const wanted = `Basic ${Buffer.from(`user:${proxyPassword}`).toString("base64")}`;
  const asked: { target: string; let: boolean }[] = [];
  const open = new Set<Socket>();
  const server = http.createServer((_, res) => res.writeHead(403).end("only CONNECT"));
  server.on("connection", (socket) => void open.add(socket));
  server.on("connect", (req, socket, head) => {
    const target = req.url!;
    const isLet = req.headers["proxy-authorization"] === wanted;
    asked.push({ target, let: isLet });
    socket.on("error", () => {});
    if (!isLet)
      return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n");
    const port = hosts[target];
    if (port === undefined) return void socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const to = net.connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      to.write(head);
      to.pipe(socket).pipe(to);
    });
    open.add(to);
    to.on("error", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://user:${proxyPassword}@127.0.0.1:${port}`, bare: `http://127.0.0.1:${port}`, asked };
}
