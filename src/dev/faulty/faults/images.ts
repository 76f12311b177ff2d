/** Faults in images that users report. */
import type { WireResponse } from "../../../wire/exchange.ts";
import { type Fault, fail, heard, inRefusal, inReply, unenforced, warning, withType } from "../fault.ts";

const textPage = (status: number, text: string): WireResponse => ({
  status,
  headers: [["content-type", "text/html"]],
  body: Buffer.from(text),
});

export const images: readonly Fault[] = [
  {
    name: "images: b64_json as a data URL",
    users: "decoding fails at data:image/png",
    expected: fail("images.response.b64-json-base64"),
    spoils: inReply(({ data }) => {
      for (const image of data) if (image.b64_json) image.b64_json = `data:image/png;base64,${image.b64_json}`;
    }),
  },
  {
    name: "images: base64 cut",
    users: "the image cannot be opened: its base64 is cut",
    expected: fail("images.response.b64-json-base64"),
    spoils: inReply(({ data }) => {
      for (const image of data)
        if (image.b64_json) image.b64_json = image.b64_json.slice(0, 4 * Math.floor(image.b64_json.length / 8) + 1);
    }),
  },
  {
    name: "images: base64 of no image",
    users: "b64_json is the base64 of an error page",
    expected: warning("images.response.b64-json-image"),
    spoils: inReply(({ data }) => {
      for (const image of data) if (image.b64_json) image.b64_json = Buffer.from("<html>no").toString("base64");
    }),
  },
  {
    name: "images: response_format ignored",
    users: "url comes where b64_json was asked for",
    expected: fail("images.response.b64-json-present"),
    hears: heard((body) => void delete body.response_format),
  },
  {
    name: "images: n ignored",
    users: "n: 2 brings one image",
    expected: warning("images.response.data-count"),
    hears: heard((body) => {
      if (body.n === 2) body.n = 1;
    }),
  },
  {
    name: "images: size ignored",
    users: "every image is 512 by 512",
    expected: warning("images.response.output-size"),
    hears: heard((body) => {
      if (body.size) body.size = "512x512";
    }),
  },
  {
    name: "images: created in milliseconds",
    users: "created is thirteen digits long",
    expected: warning("images.response.created-seconds"),
    spoils: inReply((body) => void (body.created *= 1000)),
  },
  {
    name: "images: data as an object",
    users: "data is one image instead of a list",
    expected: fail("images.response.data-type"),
    spoils: inReply((body) => void (body.data = body.data[0])),
  },
  {
    name: "images: relative addresses",
    users: "url is a path without host",
    expected: warning("images.response.url-absolute"),
    spoils: inReply(({ data }) => {
      for (const image of data) if (image.url) image.url = new URL(image.url).pathname;
    }),
  },
  {
    name: "images: dead addresses",
    users: "the address of an image is gone at once",
    expected: warning("images.generations.url-lifetime"),
    answers: ({ target }) => (target.startsWith("/pictures/") ? textPage(404, "not found") : undefined),
  },
  {
    name: "images: addresses of a page",
    users: "the address of an image leads to the start page of the server",
    expected: warning("images.generations.url-lifetime"),
    answers: ({ target }) => (target.startsWith("/pictures/") ? textPage(200, "<html>Welcome</html>") : undefined),
  },
  {
    name: "images: usage of image-multi missing",
    users: "costs of image-multi are not counted",
    expected: warning("images.response.usage-image-multi"),
    spoils: inReply((body) => void delete body.usage),
  },
  {
    name: "images: usage does not add up",
    users: "total_tokens is not the sum",
    expected: warning("images.response.usage-total"),
    spoils: inReply(({ usage }) => {
      if (usage) usage.total_tokens++;
    }),
  },
  {
    name: "images: usage on every model",
    users: "usage of zeros for models that have none",
    expected: fail("images.response.usage-only-image-multi"),
    spoils: inReply((body) => {
      body.usage ??= {
        total_tokens: 0,
        input_tokens: 0,
        output_tokens: 0,
        input_tokens_details: { text_tokens: 0, image_tokens: 0 },
      };
    }),
  },
  {
    name: "images: JSON as text/html",
    users: "clients do not parse the body",
    expected: warning("images.response.media-type"),
    spoils: withType("text/html"),
  },
  {
    name: "images: error under status 200",
    users: "a refusal comes as a success",
    expected: fail("images.errors.status"),
    alsoBreaks: ["images.auth.missing-key", "images.errors.file-limits", "images.errors.invalid-refused"],
    spoils: inRefusal(200),
  },
  {
    name: "images: eleven images taken",
    users: "n is not limited",
    probes: "cheap",
    expected: unenforced("images.generations.n-range"),
    alsoBreaks: ["images.errors.invalid-refused"],
    lets: (clause) => clause === "images.generations.n-range",
  },
  {
    name: "images: two images with image-v3 taken",
    users: "n: 2 with image-v3 is taken",
    probes: "all",
    expected: unenforced("images.generations.n-image-v3"),
    lets: (clause) => clause === "images.generations.n-image-v3",
  },
  {
    name: "images: JPEG for image-v2 taken",
    users: "uploads of any format are taken",
    probes: "cheap",
    expected: unenforced("images.edits.image-v2-format"),
    lets: (clause) => clause === "images.edits.image-v2-format",
  },
  {
    name: "images: masks of another size taken",
    users: "a mask of another size is taken, and ignored",
    probes: "cheap",
    expected: unenforced("images.edits.mask-dimensions"),
    lets: (clause) => clause === "images.edits.mask-dimensions",
  },
  {
    name: "images: no key needed",
    users: "requests without a key are answered",
    expected: fail("images.auth.missing-key"),
    opens: () => true,
    lets: (clause) => clause.startsWith("images.auth."),
  },
  {
    name: "images: style refused",
    users: "style vivid is refused",
    probes: "cheap",
    expected: warning("images.generations.style-values"),
    refuses: ({ style }) => style === "vivid" && "style must be natural",
  },
];
