import { open, type FileHandle } from 'node:fs/promises'

/** A file's type by its content, not by its name. Pictures are checked where they are re-encoded. */
export type Kind = 'pdf' | 'mp4' | 'mov' | 'webm'

const ENDS = 2048
const MP4_BRANDS = /^(isom|iso[2-9]|mp4[12]|avc1|M4V |MSNV|3g[pgr2][a-z0-9]?)/

export async function kindOf(path: string): Promise<Kind | null> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const head = await pieceAt(file, 0)
    const text = head.toString('latin1')
    if (/^%PDF-[12]\.\d/.test(text)) {
      // A complete PDF has nothing before its head, and only space after its end.
      const tail = (await pieceAt(file, Math.max(0, size - ENDS))).toString('latin1')
      const end = /startxref\s+(\d{1,10})\s+%%EOF[\s\0]*$/.exec(tail)
      return end !== null && Number(end[1]) < size ? 'pdf' : null
    }
    if (text.startsWith('\x1a\x45\xdf\xa3')) return text.slice(0, 64).includes('webm') ? 'webm' : null
    if (text.slice(4, 8) !== 'ftyp') return null
    const brand = text.slice(8, 12)
    if (brand === 'qt  ') return 'mov'
    return MP4_BRANDS.test(brand) ? 'mp4' : null
  } finally {
    await file.close()
  }
}

async function pieceAt(file: FileHandle, from: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(ENDS), 0, ENDS, from)
  return buffer.subarray(0, bytesRead)
}
