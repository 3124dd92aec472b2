/** Monitors that a page shows together. The key stays while its name changes. */
export type EditedGroup = { readonly key: number; readonly name: string; readonly monitorIds: readonly string[] };

export type Groups = readonly EditedGroup[];

/** Where a monitor is: the numbers of its group and of its place there; undefined for one that is not shown. */
export function placeOf(groups: Groups, id: string): { readonly group: number; readonly index: number } | undefined {
  for (const [group, { monitorIds }] of groups.entries()) {
    const index = monitorIds.indexOf(id);
    if (index !== -1) return { group, index };
  }
  return undefined;
}

/** A monitor one place up or down; beyond the end of its group it is the nearest of the next group. */
export function moveMonitor(groups: Groups, id: string, by: -1 | 1): Groups {
  const place = placeOf(groups, id);
  if (place === undefined) return groups;
  const own = groups[place.group]?.monitorIds.length ?? 0;
  const index = place.index + by;
  if (index >= 0 && index < own) return putMonitor(groups, id, place.group, index);
  const next = groups[place.group + by];
  if (next === undefined) return groups;
  return putMonitor(groups, id, place.group + by, by === 1 ? 0 : next.monitorIds.length);
}

/** A monitor at a place of a group, wherever it was. */
export function putMonitor(groups: Groups, id: string, group: number, index: number): Groups {
  return groups.map((entry, number) => {
    const others = entry.monitorIds.filter((other) => other !== id);
    return { ...entry, monitorIds: number === group ? others.toSpliced(index, 0, id) : others };
  });
}

export function hideMonitor(groups: Groups, id: string): Groups {
  return putMonitor(groups, id, -1, 0);
}

/** A monitor as the last one of the last group, which is made if there is none. */
export function showMonitor(groups: Groups, id: string): Groups {
  const all = groups.length === 0 ? addGroup(groups) : groups;
  return putMonitor(all, id, all.length - 1, all.at(-1)?.monitorIds.length ?? 0);
}

export function addGroup(groups: Groups): Groups {
  return [...groups, { key: Math.max(0, ...groups.map(({ key }) => key)) + 1, name: "", monitorIds: [] }];
}

/** Without a group; its monitors are not shown then. */
export function removeGroup(groups: Groups, key: number): Groups {
  return groups.filter((group) => group.key !== key);
}

export function renameGroup(groups: Groups, key: number, name: string): Groups {
  return groups.map((group) => (group.key === key ? { ...group, name } : group));
}

export function moveGroup(groups: Groups, key: number, by: -1 | 1): Groups {
  const from = groups.findIndex((group) => group.key === key);
  const moved = groups[from];
  const to = from + by;
  if (moved === undefined || to < 0 || to >= groups.length) return groups;
  return groups.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** What is stored: groups without monitors are left out. */
export function storedGroups(groups: Groups): { name: string; monitorIds: string[] }[] {
  return groups
    .filter(({ monitorIds }) => monitorIds.length > 0)
    .map(({ name, monitorIds }) => ({ name: name.trim(), monitorIds: [...monitorIds] }));
}
