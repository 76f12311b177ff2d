/** Writes our own images interface as a folder of a user's: schemas, clauses and recordings as they are, and its code as one `rules.mjs`. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { home } from "../home.ts";

const source = (...path: string[]): string => JSON.stringify(join(home, "src", ...path));

/** What an author of the folder would write: all exports that a `rules.mjs` may have. */
const entry = `
import { images } from ${source("interfaces", "images", "index.ts")};
export { conversations } from ${source("interfaces", "images", "examples", "conversations.ts")};
export { examples } from ${source("interfaces", "images", "examples", "index.ts")};
export { answer } from ${source("reference", "images", "index.ts")};
const { name, document, operations: all, key, model, code, ...members } = images;
export const { rules, laws, streams, requests, replies, forms, client, keyClauses, refusalBody } = members;
export const operations = Object.fromEntries(all.map(({ name, method, ...own }) => [name, own]));
const left = Object.keys(members).filter((one) =>
  !["rules", "laws", "streams", "requests", "replies", "forms", "client", "keyClauses", "refusalBody"].includes(one));
if (left.length > 0) throw new Error("not exported: " + left);
`;

const operation = (name: string, side: "request" | "form") => ({
  name: `POST /v1/images/${name}`,
  schemas: { [side]: `${name}.schema.json`, response: "response.schema.json" },
});

const description = {
  name: "images",
  document: "chat-completions-and-images",
  operations: [operation("generations", "request"), operation("edits", "form"), operation("variations", "form")],
  key: { header: "authorization", otherHeaders: ["api-key"] },
  model: { body: "/model" },
};

/** @returns the folder, below another one */
export async function imagesFolder(below: string): Promise<string> {
  const folder = join(below, "images");
  mkdirSync(folder, { recursive: true });
  const entryFile = join(below, "entry.ts");
  writeFileSync(entryFile, entry);
  const bundle = await rolldown({ input: entryFile, platform: "node", logLevel: "silent" });
  await bundle.write({ file: join(folder, "rules.mjs"), format: "esm" });
  await bundle.close();
  rmSync(entryFile);
  cpSync(join(home, "schemas", "images"), folder, { recursive: true });
  cpSync(join(home, "recordings", "images"), join(folder, "recordings"), {
    recursive: true,
    filter: (path) => !path.endsWith(".mjs"),
  });
  writeFileSync(join(folder, "interface.json"), JSON.stringify(description));
  return folder;
}
