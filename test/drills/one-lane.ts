// Known to be bad: puts all jobs into one lane, as `node --import` this before the server.
const groupBy = Map.groupBy.bind(Map) as typeof Map.groupBy
Map.groupBy = ((items: Iterable<object>, keyOf: (item: object, index: number) => unknown) => {
  const grouped = groupBy(items, keyOf)
  return grouped.has('payments') ? new Map([['all', [...items]]]) : grouped
}) as typeof Map.groupBy
