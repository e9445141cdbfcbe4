import { extractText, getDocumentProxy } from 'unpdf'

/** A small PDF with a valid head and end. */
export const pdf = () => {
  const body = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n'
  return Buffer.from(
    `${body}xref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
  )
}

/** A part of an mp4. */
export function box(name: string, ...content: Buffer[]): Buffer {
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

/** A part of a webm; its name is given in hex. */
export function element(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 0x10000000)
  return Buffer.concat([Buffer.from(name, 'hex'), length, body])
}

/** A recording made live is open: it doesn't say how many bytes follow. */
export function webm({
  seconds,
  lastCluster = 0,
  open = false,
}: {
  seconds?: number
  lastCluster?: number
  open?: boolean
}) {
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE((seconds ?? 0) * 1000)
  const time = Buffer.alloc(4)
  time.writeUInt32BE(lastCluster * 1000)
  const info = element('1549a966', ...(seconds === undefined ? [] : [element('4489', duration)]))
  const cluster = element('1f43b675', element('e7', time), element('a3', Buffer.alloc(900, 7)))
  const segment = open
    ? Buffer.concat([Buffer.from('1853806701ffffffffffffff', 'hex'), info, cluster])
    : element('18538067', info, cluster)
  return Buffer.concat([element('1a45dfa3', element('4282', Buffer.from('webm'))), segment])
}

/** The text of a PDF, page by page. */
export async function pagesOf(file: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(file)))
  return text.map((page) => page.replace(/\s+/g, ' '))
}
