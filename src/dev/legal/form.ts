/** Writes multipart forms in any of the ways they may be written. */

import { type FormField, type FormUpload, utf8 } from "../../wire/build.ts";
import { percentEncoded } from "../../wire/percent.ts";
import type { Chance } from "./chance.ts";

const boundaryCharacters = "abcXYZ019'()+_,-./:=?";
const token = /^[\w-]+$/;
const isFile = (value: string | FormUpload): value is FormUpload => typeof value !== "string";

const parameter = (name: string, value: string, chance: Chance): string =>
  `${chance.pick([name, name, name.toUpperCase()])}=${token.test(value) && chance.once(3) ? value : `"${value}"`}`;

/** Headers of one part. */
function partHeaders([name, value]: FormField, chance: Chance): string[] {
  const parameters = [parameter("name", name, chance)];
  if (isFile(value) && value.filename !== undefined) {
    parameters.push(parameter("filename", value.filename, chance));
    if (chance.once(5)) parameters.push(`filename*=UTF-8''${percentEncoded(`ü-${value.filename}`)}`);
  }
  const headers = [
    `${chance.pick(["Content-Disposition", "content-disposition"])}: form-data; ${chance.shuffled(parameters).join("; ")}`,
  ];
  if (isFile(value)) {
    if (value.contentType && chance.once(2)) headers.push(`Content-Type: ${value.contentType}`);
  } else if (chance.once(4))
    headers.push(
      `content-type: ${chance.pick(["text/plain", "text/plain; charset=utf-8", "text/plain;charset=UTF-8"])}`,
    );
  if (chance.once(5)) headers.push("Content-Transfer-Encoding: binary", "X-Extra: 1");
  return chance.shuffled(headers);
}

/** A form's body and its media type; no value may contain the boundary, which is long enough to be nobody's text. */
export function writeForm(
  fields: readonly FormField[],
  chance: Chance,
): { readonly contentType: string; readonly body: Uint8Array } {
  let boundary = "----form";
  for (let i = 4 + chance.below(50); i > 0; i--) boundary += chance.pick([...boundaryCharacters]);
  const pieces: Uint8Array[] = [utf8(chance.once(6) ? "This is a preamble.\r\n" : "")];
  for (const field of fields)
    pieces.push(
      utf8(`--${boundary}\r\n${partHeaders(field, chance).join("\r\n")}\r\n\r\n`),
      isFile(field[1]) ? field[1].bytes : utf8(field[1]),
      utf8("\r\n"),
    );
  pieces.push(utf8(`--${boundary}--${chance.pick(["\r\n", "", "\r\nAn epilogue."])}`));
  const type = chance.pick(["multipart/form-data", "Multipart/Form-Data"]);
  const quotes = !token.test(boundary) || chance.once(2);
  const space = chance.pick(["", " "]);
  return {
    contentType: `${type};${chance.once(5) ? " charset=utf-8;" : ""}${space}boundary=${quotes ? `"${boundary}"` : boundary}`,
    body: Buffer.concat(pieces),
  };
}
