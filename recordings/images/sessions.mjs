/** Sessions of the official SDK with images. */
import OpenAI, { toFile } from "openai";
import { key, refused, withoutKey } from "../common.mjs";
import { squarePng } from "../media.mjs";

const image = (section, name, run, more = {}) => ({
  interface: "images",
  section,
  name,
  ...more,
  run: async (base) => {
    const call = run(new OpenAI({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0 }).images);
    return more.violates ? refused(call) : call;
  },
});
/** A transparent picture of one pixel, in a format that no operation takes. */
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const png = (name, side = 64) => toFile(squarePng(side), name, { type: "image/png" });
const circle = { model: "image-v2", prompt: "A red circle", size: "256x256" };

export const imageSessions = [
  image("generations", "one-url", (images) => images.generate(circle)),
  image("generations", "two-base64", (images) => images.generate({ ...circle, n: 2, response_format: "b64_json" })),
  image(
    "generations",
    "hd",
    (images) =>
      images.generate({
        model: "image-v3",
        prompt: "A red circle",
        size: "1024x1024",
        quality: "hd",
        style: "natural",
      }),
    { needs: ["image-v3"] },
  ),
  // Of unequal sides: whoever takes height for width makes another picture.
  image(
    "generations",
    "wide",
    (images) =>
      images.generate({ model: "image-v3", prompt: "A red circle", size: "1792x1024", response_format: "b64_json" }),
    { needs: ["image-v3"] },
  ),
  withoutKey("images", "/v1/images/generations", { prompt: "A red circle" }, ["images.auth.authorization-present"]),
  image("errors", "eleven", (images) => images.generate({ model: "image-v2", prompt: "A red circle", n: 11 }), {
    violates: ["images.generations.n-range"],
  }),
  image(
    "errors",
    "gif-variation",
    async (images) =>
      images.createVariation({ model: "image-v2", image: await toFile(gif, "dot.gif", { type: "image/gif" }) }),
    { violates: ["images.variations.image-format"] },
  ),
  image("edits", "with-mask", async (images) =>
    images.edit({
      model: "image-v2",
      image: await png("room.png"),
      mask: await png("mask.png"),
      prompt: "Add a lamp",
      size: "256x256",
    }),
  ),
  // Without a mask, what is transparent is painted anew.
  image("edits", "two-base64", async (images) =>
    images.edit({
      model: "image-v2",
      image: await png("room.png"),
      prompt: "Add a lamp",
      quality: "standard",
      n: 2,
      size: "256x256",
      response_format: "b64_json",
      user: "u-1",
    }),
  ),
  image(
    "edits",
    "several-images",
    async (images) =>
      images.edit({
        model: "image-multi",
        image: [await png("room.png"), await png("lamp.png", 32)],
        prompt: "Put the lamp into the room",
        size: "1024x1024",
      }),
    { needs: ["image-multi"] },
  ),
  image(
    "edits",
    "low-quality",
    async (images) =>
      images.edit({
        model: "image-multi",
        image: await png("room.png"),
        prompt: "Add a lamp",
        quality: "low",
        size: "auto",
        n: 1,
      }),
    { needs: ["image-multi"] },
  ),
  image(
    "edits",
    "tall",
    async (images) =>
      images.edit({
        model: "image-multi",
        image: await png("room.png"),
        prompt: "Add a lamp",
        size: "1024x1536",
      }),
    { needs: ["image-multi"] },
  ),
  image("variations", "one", async (images) =>
    images.createVariation({
      model: "image-v2",
      image: await png("room.png"),
      size: "256x256",
      response_format: "b64_json",
    }),
  ),
  image(
    "variations",
    "two-urls",
    async (images) =>
      images.createVariation({
        image: await png("room.png"),
        n: 2,
        size: "256x256",
        response_format: "url",
        user: "u-1",
      }),
    { needs: ["url"] },
  ),
];
