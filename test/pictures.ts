import sharp from 'sharp'

/** A photo as a phone sends it: larger than we store, and with its location. */
export const photo = (format: 'jpeg' | 'png' | 'webp' | 'gif' = 'jpeg') =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: '#a06030' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '33/1 55/1 0/1' } })
    .toFormat(format)
    .toBuffer()

/** A picture of 38 megapixels. It can be read row by row, unless it is interlaced. */
export const largePng = ({ interlaced }: { interlaced: boolean }) =>
  sharp({ create: { width: 6150, height: 6150, channels: 4, background: '#a06030' } })
    .png({ progressive: interlaced })
    .toBuffer()

/** What a phone with 50 megapixels takes. */
export const largePhoto = () =>
  sharp({ create: { width: 8160, height: 6120, channels: 3, background: '#a06030' } })
    .jpeg()
    .toBuffer()

/** A grey picture whose file says this many times what all its pixels are. */
export function pictureInScans(scans: number) {
  const table = (kind: string) => `ffc40014${kind}01${'00'.repeat(16)}`
  const scan = (from: string, to: string) => `ffda0008010100${from}${to}007f`
  const head = `ffd8ffdb004300${'01'.repeat(64)}ffc2000b080008000801011100${table('00')}${table('10')}`
  return Buffer.from(`${head}${scan('00', '00')}${scan('01', '3f').repeat(scans - 1)}ffd9`, 'hex')
}

export const pictureFacts = async (picture: Buffer) => {
  const { width, height, exif, format } = await sharp(picture).metadata()
  return { width, height, exif, format }
}
