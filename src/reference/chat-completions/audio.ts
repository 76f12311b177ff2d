/** Audio of the reference implementation: a moment of silence, with the first bytes its format is known by. */
import { isObject } from "../../wire/json.ts";
import { createdNow, stableId } from "../directives.ts";

/** A WAV file of sixteen silent samples: 16 bits, one channel, 24 kHz. */
function silentWav(): Buffer {
  const samples = 16;
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples * 2, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(24_000, 24);
  head.writeUInt32LE(48_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples * 2, 40);
  return Buffer.concat([head, Buffer.alloc(samples * 2)]);
}

function silence(format: unknown): Buffer {
  if (format === "wav") return silentWav();
  const signature = { mp3: "ID3", flac: "fLaC", opus: "OggS" }[String(format)] ?? "";
  return Buffer.concat([Buffer.from(signature), Buffer.alloc(32)]);
}

/** The audio member of a message whose words are `transcript`; `asked` is the request's audio member. */
export function audioOf(asked: unknown, transcript: string): Readonly<Record<string, unknown>> {
  return {
    id: stableId("audio_", transcript),
    data: silence(isObject(asked) ? asked["format"] : undefined).toString("base64"),
    expires_at: createdNow() + 3600,
    transcript,
  };
}
