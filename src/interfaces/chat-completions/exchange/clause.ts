/** Names the clauses of this section. */

export const id = (name: string): string => `chat-completions.exchange.${name}`;
