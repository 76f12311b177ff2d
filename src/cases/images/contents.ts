/** Cases of what an answer with pictures holds. */
import type { Case } from "../case.ts";
import type { Good } from "../good.ts";
import type { Json } from "../voice.ts";

type Own = Pick<Case, "id" | "says" | "answer"> & Partial<Case>;

const legal = (own: Own): Case => ({
  interfaces: ["images"],
  kind: "legal",
  restsOn: ["images.response.data-type"],
  due: "answer",
  form: "whole",
  ...own,
  id: `images/${own.id}`,
});
const odd = (own: Own): Case => legal({ kind: "odd", ...own });

const pictures = (good: Good, change: (picture: Json) => Json): unknown => {
  const reply = good.body as Json;
  return { ...reply, data: (reply["data"] as Json[]).map(change) };
};

const asksForUrl = ({ body }: Good): string | undefined =>
  ((body as Json)["data"] as Json[])[0]?.["url"] === undefined ? "it asks for pictures as base64" : undefined;

const asksForOne = ({ requestJson }: Good): string | undefined =>
  Number(requestJson["n"] ?? 1) > 1 ? undefined : "it asks for one picture";

export const contents: readonly Case[] = [
  legal({
    id: "revised-prompt",
    says: "The prompt was revised, and the picture carries the new prompt.",
    restsOn: ["images.response.revised-prompt-type"],
    answer: (good) =>
      good.withBody(pictures(good, (own) => ({ ...own, revised_prompt: "A circle, drawn with care." }))),
  }),
  legal({
    id: "unknown-members",
    says: "Reply and pictures have members that no document lists.",
    restsOn: ["X-EXTRA"],
    answer: (good) =>
      good.withBody({
        ...(pictures(good, (own) => ({ ...own, seed: 7 })) as Json),
        background: "opaque",
        quality: "low",
      }),
  }),
  legal({
    id: "several-pictures",
    says: "The reply has as many pictures as the request asks for.",
    needs: asksForOne,
    wants: "pictures",
    answer: (good) => good.answer(),
  }),
  legal({
    id: "address-at-other-origin",
    says: "The address of the picture is at another origin, which must not get the key.",
    restsOn: ["images.response.url-type", "plain safety: a key goes to its own service alone"],
    needs: asksForUrl,
    answer: (good) =>
      good.withBody(
        pictures(good, (own) => ({ ...own, url: String(own["url"]).replace(/^https?:\/\/[^/]+/, good.other) })),
      ),
  }),
  legal({
    id: "long-address",
    says: "The address of the picture has a query of 1,500 characters.",
    restsOn: ["images.response.url-type"],
    needs: asksForUrl,
    answer: (good) =>
      good.withBody(pictures(good, (own) => ({ ...own, url: `${own["url"]}?sig=${"s".repeat(1500)}` }))),
  }),
  legal({
    id: "created-far-off",
    says: "The time of creation needs more than 32 bits.",
    restsOn: ["images.response.created-type"],
    isNeutral: true,
    answer: (good) => good.withBody({ ...(good.body as Json), created: 4_294_967_296 }),
  }),
  odd({
    id: "no-pictures",
    says: "The list of pictures is empty.",
    restsOn: ["images.response.data-count"],
    due: "error",
    answer: (good) => ({ ...good.withBody({ ...(good.body as Json), data: [] }), isComplete: false }),
  }),
  odd({
    id: "no-data",
    says: "The reply has no list of pictures.",
    restsOn: ["images.response.data-present"],
    due: "error",
    answer: (good) => {
      const { data: _data, ...reply } = good.body as Json;
      return { ...good.withBody(reply), isComplete: false };
    },
  }),
  odd({
    id: "null-members",
    says: "Members of a picture that do not apply are null.",
    restsOn: ["X-NULL"],
    answer: (good) =>
      good.withBody(pictures(good, (own) => ({ url: null, b64_json: null, revised_prompt: null, ...own }))),
  }),
  odd({
    id: "usage-null",
    says: "The usage is null.",
    restsOn: ["I-USAGE"],
    answer: (good) => good.withBody({ ...(good.body as Json), usage: null }),
  }),
];
