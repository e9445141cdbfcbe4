const works = new Map<string, number>()

/** How many pieces of work with this key this process is doing. The counts end with the process. */
export const underWay = (key: string) => works.get(key) ?? 0

export function countingUnderWay<T>(key: string, work: () => Promise<T>): Promise<T> {
  works.set(key, underWay(key) + 1)
  return work().finally(() => {
    if (underWay(key) > 1) works.set(key, underWay(key) - 1)
    else works.delete(key)
  })
}
