export function saveFile(name: string, type: string, ...content: string[]) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(content, { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** The mark at the start tells Excel that the file is in UTF-8. */
export const saveCsv = (name: string, csv: string) => saveFile(name, 'text/csv;charset=utf-8', '\ufeff', csv)
