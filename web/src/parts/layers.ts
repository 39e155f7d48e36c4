// Layers have a colour each, in the order of their strength, and a short name.
import { signal } from "@preact/signals";
import { commonFolder } from "../pure/runs.ts";

/** The names of the layers of the project that is shown, as far as results have told them, strongest first. */
export const layerNames = signal<readonly string[]>([]);

let project = "";

/** Layers of a result, strongest first: they join the others so that both orders hold where they agree. */
export function learnLayers(of: string, names: readonly string[]): void {
  const all = of === project ? [...layerNames.value] : [];
  project = of;
  let place = all.length;
  for (const name of [...names].reverse()) {
    const known = all.indexOf(name);
    if (known < 0) all.splice(place, 0, name);
    else place = known;
  }
  if (all.join("\n") !== layerNames.value.join("\n")) layerNames.value = all;
}

const COLOURS = 8;

/** A level with the folder of its data, where several have its name. */
const LEVEL = /^(.*) \((.*)\)$/;

/** The layer of the list that a contribution's layer, `ENTRY/PATH`, belongs to. */
function known(layer: string): number {
  const names = layerNames.value;
  const exact = names.indexOf(layer);
  return exact >= 0 ? exact : names.findIndex((name) => layer.startsWith(`${name}/`));
}

/** The colour of a layer comes from its name alone: it is the same on all pages, whatever is known of the other layers. */
export function layerColour(layer: string | null | undefined): string {
  if (!layer) return "";
  const name = layerNames.value[known(layer)] ?? layer;
  let sum = 7;
  for (const character of name) sum = (Math.imul(sum, 31) + character.codePointAt(0)!) >>> 0;
  return `layer-${((sum ^ (sum >>> 15)) >>> 0) % COLOURS}`;
}

export function layerShort(layer: string | null | undefined): string {
  if (!layer) return "";
  const index = known(layer);
  if (index >= 0 && layerNames.value[index] !== layer) return layerNames.value[index]!;
  const [, level, folder] = LEVEL.exec(layer) ?? [];
  if (folder !== undefined) return `${level} (${folder.slice(commonFolder(layerNames.value.flatMap((one) => (one.startsWith(`${level} (`) ? [one.slice(level!.length + 2)] : []))).length)})`;
  // A layer that is named as its file: the name of the file says enough.
  const last = layer.slice(layer.lastIndexOf("/") + 1);
  return last.replace(/\.(ya?ml|json|eyaml|conf|cfg)$/, "") || layer;
}
