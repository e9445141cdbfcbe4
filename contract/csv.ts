/** Spreadsheets read a cell that begins with one of these as a formula, even after spaces. Full-width ones count too. */
const FORMULA = /^[\s"']*[=+\-@|%＝＋－＠]/

function cell(value: string | number): string {
  // One row stays one line, whatever somebody typed.
  const line = String(value).replace(/\s*[\r\n\u2028\u2029\t\v\f\0]+\s*/g, ' ')
  const safe = typeof value === 'string' && FORMULA.test(line) ? `'${line}` : line
  return /[",;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of a CSV file, in which no text is a formula. */
export const csvRow = (cells: readonly (string | number)[]) => `${cells.map(cell).join(',')}\r\n`
