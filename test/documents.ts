import { extractText, getDocumentProxy } from 'unpdf'

/** A small PDF with a valid head and end. */
export const pdf = () => {
  const body = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n'
  return Buffer.from(
    `${body}xref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
  )
}

function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** Just enough of a video to carry its type and length. */
export function film({ seconds, brand = 'isom' }: { seconds: number; brand?: string }): Buffer {
  const movie = Buffer.alloc(100)
  movie.writeUInt32BE(1000, 12)
  movie.writeUInt32BE(seconds * 1000, 16)
  const type = box('ftyp', Buffer.from(brand, 'latin1'), Buffer.alloc(4))
  return Buffer.concat([type, box('mdat', Buffer.alloc(5000, 7)), box('moov', box('mvhd', movie))])
}

/** The text of a PDF, page by page. */
export async function pagesOf(file: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(file)))
  return text.map((page) => page.replace(/\s+/g, ' '))
}
