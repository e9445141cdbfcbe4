/** Hands a CSV to the browser as a download. The mark at its start tells Excel that it is UTF-8. */
export function saveFile(name: string, csv: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(['\ufeff', csv], { type: 'text/csv;charset=utf-8' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
