/** Notices what code changes of the language's own objects, on which all else here relies, and puts it back. */

const { ownKeys, getOwnPropertyDescriptor, defineProperty, deleteProperty } = Reflect;
const { is } = Object;
const text = String;

const classes = [
  ...[Object, Function, Array, String, Number, Boolean, BigInt, Symbol, RegExp, Date, Promise, Error],
  ...[Map, Set, WeakMap, WeakSet, ArrayBuffer, Uint8Array, Buffer, URL, URLSearchParams, TextDecoder, TextEncoder],
];

/** Prototypes come first: what is done to them is what somebody wrote. */
const shared: readonly (readonly [name: string, object: object])[] = [
  ...classes.map((one) => [`${one.name}.prototype`, one.prototype as object] as const),
  ["TypedArray.prototype", Object.getPrototypeOf(Uint8Array.prototype) as object],
  ["Iterator.prototype", Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object],
  ["JSON", JSON],
  ["Math", Math],
  ["Reflect", Reflect],
  ...classes.map((one) => [one.name, one] as const),
];

/** Names of the language that stand in the global object. */
const globals: readonly string[] = [...classes.map(({ name }) => name), "JSON", "Math", "Reflect"];

interface Watched {
  readonly name: string;
  readonly object: object;
  readonly keys: readonly PropertyKey[];
  readonly descriptors: readonly PropertyDescriptor[];
}

const watch = (name: string, object: object, keys: readonly PropertyKey[]): Watched => ({
  name,
  object,
  keys,
  descriptors: keys.map((key) => getOwnPropertyDescriptor(object, key)!),
});

/** Puts a member back; whether it had changed. */
function restore(object: object, key: PropertyKey, before: PropertyDescriptor): boolean {
  const now = getOwnPropertyDescriptor(object, key);
  if (now && is(now.value, before.value) && now.get === before.get && now.set === before.set) return false;
  defineProperty(object, key, before);
  return true;
}

/**
 * Looks at all of it as it is.
 * @returns puts back what was changed since, and gives the name of the first: `JSON.parse`; undefined where nothing was
 */
export function watchGlobals(): () => string | undefined {
  const watched = shared.map(([name, object]) => watch(name, object, ownKeys(object)));
  const named = watch("", globalThis, globals);
  // Any method of a list or text may be another one by now: plain loops are what is left.
  return () => {
    let changed: string | undefined;
    for (let i = 0; i < named.keys.length; i++)
      if (restore(globalThis, named.keys[i]!, named.descriptors[i]!)) changed ??= text(named.keys[i]);
    for (let i = 0; i < watched.length; i++) {
      const { name, object, keys, descriptors } = watched[i]!;
      for (let j = 0; j < keys.length; j++)
        if (restore(object, keys[j]!, descriptors[j]!)) changed ??= `${name}.${text(keys[j])}`;
      const now = ownKeys(object);
      if (now.length === keys.length) continue;
      for (let j = 0; j < now.length; j++) {
        let isNew = true;
        for (let k = 0; k < keys.length; k++) if (keys[k] === now[j]) isNew = false;
        if (!isNew) continue;
        changed ??= `${name}.${text(now[j])}`;
        deleteProperty(object, now[j]!);
      }
    }
    return changed;
  };
}
