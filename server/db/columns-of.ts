/** Columns of a table or of a subquery under their own names, for a select. */
export const columnsOf = <Source extends object, Name extends string & keyof Source>(
  source: Source,
  ...names: Name[]
) => Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, Name>
