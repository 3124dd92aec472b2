/** In DATA_DIR, a line of JSON for each sample; bytes. */
export const memoryFile = "memory.jsonl";
