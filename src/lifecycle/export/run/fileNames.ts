/** Folder of an export's parts, which goes once the archive is there. */
export function partsFolder(exportId: string): string {
  return `${exportId}/parts`;
}

/** A part of a dataset, by its number from 0. */
export function partName(exportId: string, dataset: string, index: number): string {
  return `${partsFolder(exportId)}/${dataset}-${String(index).padStart(6, "0")}`;
}

/** What the encoder of a part said at its end. */
export function partEndName(exportId: string, dataset: string, index: number): string {
  return `${partName(exportId, dataset, index)}.end`;
}

export function archiveName(exportId: string): string {
  return `${exportId}/archive.zip`;
}
