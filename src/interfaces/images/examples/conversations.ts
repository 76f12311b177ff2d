/** Good exchanges of images that belong together: an image, and its address fetched. */
import { jsonResponse } from "../../../wire/build.ts";
import type { Exchange } from "../../../wire/exchange.ts";
import { created, generation } from "./parts.ts";
import { plainPng } from "./small-png.ts";

const origin = "http://127.0.0.1:8080";

const made: Exchange = {
  ...generation(
    { prompt: "A red kite over the sea" },
    jsonResponse({ created, data: [{ url: `${origin}/made/kite.png` }] }),
  ),
  origin,
};

const fetched: Exchange = {
  origin,
  request: { method: "GET", target: "/made/kite.png", headers: [["accept", "image/*"]], body: Buffer.alloc(0) },
  response: {
    status: 200,
    headers: [["content-type", "image/png"]],
    body: Buffer.from(plainPng({ width: 4, height: 4 })),
  },
};

export const conversations: readonly { readonly name: string; readonly exchanges: readonly Exchange[] }[] = [
  { name: "an image, and its address fetched", exchanges: [made, fetched] },
];
