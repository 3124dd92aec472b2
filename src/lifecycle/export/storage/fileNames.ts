/** The folder of an export's parts, removed once the archive exists. */
export function partsFolder(exportId: string): string {
  return `${exportId}/parts`;
}

/** A part of a dataset, by its number from 0. */
export function partName(exportId: string, dataset: string, index: number): string {
  return `${partsFolder(exportId)}/${dataset}-${String(index).padStart(6, "0")}`;
}

/** The `end` of a part's encoder. */
export function partEndName(exportId: string, dataset: string, index: number): string {
  return `${partName(exportId, dataset, index)}.end`;
}

export function archiveName(exportId: string): string {
  return `${exportId}/archive.zip`;
}
