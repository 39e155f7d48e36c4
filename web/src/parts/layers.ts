// SPDX-License-Identifier: Apache-2.0
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

/** A level with the folder of its data, where several have its name. */
const LEVEL = /^(.*) \((.*)\)$/;

/** The service gives each level its colour: it is the same on all pages. */
export const layerColour = ({ colour }: { colour?: number }): string => (colour === undefined ? "" : `layer-${colour}`);

/** What a level is called where there is little room. */
export function layerShort(place: { layer?: string | null; level?: string | null }): string {
  const layer = place.level ?? place.layer;
  if (!layer) return "";
  const [, level, folder] = LEVEL.exec(layer) ?? [];
  if (folder !== undefined) return `${level} (${folder.slice(commonFolder(layerNames.value.flatMap((one) => (one.startsWith(`${level} (`) ? [one.slice(level!.length + 2)] : []))).length)})`;
  // A layer that is named as its file: the name of the file says enough.
  const last = layer.slice(layer.lastIndexOf("/") + 1);
  return last.replace(/\.(ya?ml|json|eyaml|conf|cfg)$/, "") || layer;
}
