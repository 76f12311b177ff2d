/** The images interface: its operations and the rules of its sections. */

import type { Interface } from "../../check/interface.ts";
import type { Operation } from "../../check/operation.ts";
import type { Subject } from "../../check/subject.ts";
import { isObject } from "../../wire/json.ts";
import { chatClient } from "../common/clients.ts";
import { refusalNamingMember } from "../common/errors.ts";
import { rules as auth, keyClauses } from "./auth.ts";
import { rules as edits } from "./edits.ts";
import { rules as errors, isError } from "./errors.ts";
import { laws } from "./generations/addresses.ts";
import { rules as generations } from "./generations.ts";
import { rules as plausible } from "./plausible.ts";
import { fieldOf, type OperationName } from "./reading/fields.ts";
import { forms } from "./reading/forms.ts";
import { replies, requests } from "./reading/signs.ts";
import { rules as request } from "./request.ts";
import { rules as usage } from "./response/usage.ts";
import { rules as response } from "./response.ts";
import { rules as variations } from "./variations.ts";

/** Streamed images are not documented; where a request asks for them, a stream is no fault. */
const streams = (subject: Subject): boolean => [true, "true"].includes(fieldOf(subject, "stream") as string);

/** An error that comes with success is another clause's business: its members are not missed as those of an image. */
const schemaOf = (body: unknown): string | undefined =>
  isObject(body) && isError(body) && !("data" in body) ? undefined : "/images/response.schema.json";

function operation(name: OperationName, side: "request" | "form"): Operation {
  const own = new RegExp(`/images/${name}/?$`);
  return {
    name: `POST /v1/images/${name}`,
    method: "POST",
    at: (path) => path.search(own),
    schemas: { [side]: `/images/${name}.schema.json`, response: schemaOf },
  };
}

export const images: Interface = {
  name: "images",
  document: "chat-completions-and-images",
  operations: [operation("generations", "request"), operation("edits", "form"), operation("variations", "form")],
  streams,
  rules: [...request, ...auth, ...generations, ...edits, ...variations, ...response, ...usage, ...errors, ...plausible],
  laws,
  requests,
  forms,
  replies,
  key: { header: "authorization", otherHeaders: ["api-key"] },
  model: { body: "/model" },
  client: chatClient,
  keyClauses,
  refusalBody: refusalNamingMember,
};
