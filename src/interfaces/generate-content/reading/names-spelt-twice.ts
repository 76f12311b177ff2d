/** Names that the document writes in camelCase and in snake_case. */

/** Members that requests of the document itself also write in snake case. */
export const namesSpeltTwice: ReadonlySet<string> = new Set(
  `inline_data mime_type system_instruction tool_config function_declarations function_calling_config
  response_mime_type response_schema`.split(/\s+/),
);
