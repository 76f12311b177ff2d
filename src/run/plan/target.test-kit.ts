/** A target of which nothing is known but its address, for tests and for those who drive clients. */
import { interfaces } from "../../interfaces/index.ts";
import { placesOf, type Target } from "./target.ts";

export const bareTarget = (url: string): Target => ({
  url,
  keys: {},
  bindings: [],
  models: {},
  headers: [],
  lacks: [],
  places: placesOf(interfaces),
});
