import sharp from 'sharp'

/** A photo as a phone sends it: larger than we store, and with its location. */
export const photo = (format: 'jpeg' | 'png' | 'webp' | 'gif' = 'jpeg') =>
  sharp({ create: { width: 1200, height: 900, channels: 3, background: '#a06030' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '33/1 55/1 0/1' } })
    .toFormat(format)
    .toBuffer()

export const pictureFacts = async (picture: Buffer) => {
  const { width, height, exif, format } = await sharp(picture).metadata()
  return { width, height, exif, format }
}
