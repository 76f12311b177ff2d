/** MIME types of the input formats the document lists by name (reading G-MIME), generously. */

const of = (top: string, subtypes: string): string[] => subtypes.split(/\s+/).map((subtype) => `${top}/${subtype}`);

const formats: Readonly<Record<"image" | "audio" | "video", ReadonlySet<string>>> = {
  image: new Set(of("image", `jpeg jpg pjpeg png x-png apng webp heic heif heic-sequence heif-sequence`)),
  audio: new Set(
    of(
      "audio",
      `wav wave x-wav vnd.wave x-pn-wav mp3 mpeg mpeg3 x-mpeg x-mp3 mpa mpga aiff x-aiff aif aac x-aac aacp mp4 m4a x-m4a
      mp4a-latm ogg opus vorbis x-ogg flac x-flac webm 3gpp pcm l16`,
    ),
  ),
  video: new Set(
    of(
      "video",
      `mp4 mpeg mpg x-mpeg mpegps mov quicktime avi x-avi msvideo x-msvideo vnd.avi flv x-flv webm wmv x-ms-wmv x-ms-asf
      3gpp 3gp 3gpp2 x-m4v ogg`,
    ),
  ),
};

export type MediaKind = "image" | "audio" | "video" | "document";

/** `type/subtype` of a MIME type, in lower case, without parameters. */
const bare = (mimeType: string): string => mimeType.split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** The kind of input that a MIME type announces, and whether its format is one of those listed. */
export function mediaOf(mimeType: string): { readonly kind: MediaKind; readonly listed: boolean } {
  const type = bare(mimeType);
  const top = type.split("/", 1)[0];
  if (top === "image" || top === "audio" || top === "video") return { kind: top, listed: formats[top].has(type) };
  return { kind: "document", listed: top === "text" || type === "application/pdf" };
}

/** Whether input of this type may be sent inline only. */
export function inlineOnly(mimeType: string): boolean {
  const type = bare(mimeType);
  return /^(?:audio|video)\//.test(type) || /^application\/(?:x-)?pdf$/.test(type);
}
