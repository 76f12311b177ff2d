/** An image that was sent, with its facts; nothing is ever fetched. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ViewedImage } from "../../view/viewed.ts";
import { counted, sized } from "./shown.ts";

function factsOf({ format, width, height, alpha, bytes }: ViewedImage): string {
  const size =
    width !== undefined && height !== undefined ? `${counted(width)} × ${counted(height)} pixels` : "size not told";
  return [format.toUpperCase(), size, sized(bytes), ...(alpha ? ["can be transparent"] : [])].join(", ");
}

export function ImageShown({ image }: { readonly image: ViewedImage }): JSX.Element {
  const [isBroken, setBroken] = useState(false);
  const facts = factsOf(image);
  return (
    <span class="image">
      {image.data !== undefined && !isBroken && (
        <img
          src={`data:image/${image.format};base64,${image.data}`}
          alt={`image: ${facts}`}
          decoding="async"
          onError={() => setBroken(true)}
        />
      )}
      <span class="soft">
        {facts}
        {isBroken && "; this browser cannot draw it"}
        {image.data === undefined && "; not in this page"}
      </span>
    </span>
  );
}
