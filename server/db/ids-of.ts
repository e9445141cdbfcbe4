export const idsOf = <Id>(rows: { id: Id }[]) => rows.map(({ id }) => id)
