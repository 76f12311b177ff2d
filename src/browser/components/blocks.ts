/** Reads the compressed blocks of the page. */

/** Resolves when the whole page was read: blocks behind the script are there only then. */
const isRead = new Promise<void>((resolve) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => resolve());
  else resolve();
});

async function inflate(base64: string): Promise<string> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return await new Response(stream).text();
}

/** The JSON of a block; throws where there is no such block. */
export async function readBlock<T>(i: number): Promise<T> {
  const find = (): HTMLElement | null => document.getElementById(`block-${i}`);
  if (!find()) await isRead;
  return JSON.parse(await inflate(find()!.textContent)) as T;
}
