/** Bounds what is judged of documents of users to prove and probe their clauses: large exchanges, changed everywhere, take hours. */
import type { Catalogue } from "../check/catalogue.ts";
import type { Exchange, WireRequest } from "../wire/exchange.ts";

/** Bytes of an exchange that count for nothing: most are far smaller. */
const ordinaryBytes = 16 << 10;
/** Bytes beyond these that are judged of all exchanges together. */
const maxExtraBytes = 16 << 20;
/** Characters of a schema that take as long to judge by as one byte of a body. */
const charactersPerByte = 50;
/** Bytes of a body that take as long to write and judge as one parameter, header or cookie. */
const bytesPerParameter = 150;

const parametersOf = ({ target, headers }: WireRequest): number =>
  target.split(/[&/]/).length +
  headers.reduce((sum, [name, value]) => sum + (/^cookie$/i.test(name) ? value.split(";").length : 1), 0);

export interface Room {
  /** The cost to judge an exchange, by a schema if one is given; none for ordinary ones. */
  readonly costOf: (exchange: Exchange, schema?: string) => number;
  readonly spend: (cost: number) => void;
  readonly isSpent: () => boolean;
}

export function createRoom(catalogue: Catalogue): Room {
  let left = maxExtraBytes;
  let sources: ReadonlyMap<string, unknown> | undefined;
  const sizes = new Map<string, number>();
  const sizeOf = (schema: string): number => {
    let size = sizes.get(schema);
    if (size === undefined) {
      sources ??= new Map(catalogue.sources().map(({ path, content }) => [`/${path}`, content]));
      sizes.set(schema, (size = JSON.stringify(sources.get(schema) ?? null).length));
    }
    return size;
  };
  return {
    costOf({ request, response }, schema) {
      const bytes = request.body.length + (response?.body.length ?? 0) + parametersOf(request) * bytesPerParameter;
      return Math.max(0, bytes + (schema === undefined ? 0 : sizeOf(schema) / charactersPerByte) - ordinaryBytes);
    },
    spend: (cost) => void (left -= cost),
    isSpent: () => left <= 0,
  };
}
