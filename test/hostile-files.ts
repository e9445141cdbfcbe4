import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { sentenceOf } from '#contract/errors.ts'
import { PICTURE_BYTES } from '#contract/pets.ts'
import { pictureInScans } from './pictures.ts'

export interface HostileFile {
  says: string
  /** The type and name that the sender claims. */
  name: string
  type: string
  content: Buffer
  refusal: string
}

const text = (content: string) => Buffer.from(content)
const pad = (head: Buffer, length: number) => Buffer.concat([head, Buffer.alloc(length - head.length)])
const SCRIPT = '<script>alert(document.domain)</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`
const XXE = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY f SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&f;</text></svg>`
const PNG_HEAD = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG_HEAD = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex')

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([text(kind), data])
  const out = Buffer.alloc(8)
  out.writeUInt32BE(data.length)
  out.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([out.subarray(0, 4), body, out.subarray(4)])
}

function png(width: number, height: number, pixels: Buffer, ...more: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width >>> 0)
  header.writeUInt32BE(height >>> 0, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    PNG_HEAD,
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A picture with one bit per pixel: a few kilobytes that unpack to the given number of pixels. */
const pngBomb = (side: number) => png(side, side, deflateSync(Buffer.alloc((side / 8 + 1) * side)))

function jpegClaiming(photo: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(photo)
  const frame = changed.findIndex(
    (byte, at) => byte === 0xff && [0xc0, 0xc2].includes(changed[at + 1]!) && at > 20,
  )
  changed.writeUInt16BE(height, frame + 5)
  changed.writeUInt16BE(width, frame + 7)
  return changed
}

/** An archive with a picture as its only entry. */
function zipOf(content: Buffer): Buffer {
  const packed = deflateRawSync(content)
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04', 'latin1')
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(crc32(content), 14)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(5, 26)
  return Buffer.concat([head, text('a.jpg'), packed])
}

const corrupt = (content: Buffer, from: number, length: number) => {
  const changed = Buffer.from(content)
  for (let at = from; at < from + length; at++) changed[at] = changed[at]! ^ 0xa5
  return changed
}

/** Files that must never become a pet's picture, whatever they claim to be. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const noise = { create: { width: 640, height: 480, channels: 3 as const, background: '#a06030' } }
  const grain = { noise: { type: 'gaussian' as const, mean: 128, sigma: 60 } }
  const source = sharp({ create: { ...noise.create, ...grain } })
  const [jpeg, photoPng, webp, gif, tiff, avif] = await Promise.all(
    (['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const).map((format) =>
      source.clone().toFormat(format).toBuffer(),
    ),
  )
  const wrongType = sentenceOf('PICTURE_WRONG_TYPE')
  const tooLarge = sentenceOf('PICTURE_TOO_LARGE')
  const one = (
    says: string,
    content: Buffer | string,
    name = 'rex.jpg',
    type = 'image/jpeg',
  ): HostileFile => ({
    says,
    name,
    type,
    content: typeof content === 'string' ? text(content) : content,
    refusal: wrongType,
  })
  const large = (says: string, content: Buffer, name = 'rex.jpg', type = 'image/jpeg'): HostileFile => ({
    ...one(says, content, name, type),
    refusal: tooLarge,
  })
  return [
    one('SVG', SVG.replace(SCRIPT, ''), 'rex.svg', 'image/svg+xml'),
    one('SVG with a script', SVG, 'rex.svg', 'image/svg+xml'),
    one('SVG that calls itself JPEG', SVG),
    one('SVG that calls itself PNG', SVG, 'rex.png', 'image/png'),
    one('SVG that reads a file', XXE),
    one('SVG that fetches an address', SVG.replace(SCRIPT, '<image href="http://127.0.0.1/x.png"/>')),
    one('SVG in gzip', gzipSync(SVG), 'rex.svgz', 'image/svg+xml'),
    one('SVG behind a byte order mark', `\ufeff${SVG}`),
    one('HTML', `<!doctype html>${SCRIPT}`),
    one('HTML that calls itself PNG', `<!doctype html>${SCRIPT}`, 'rex.png', 'image/png'),
    one('XHTML', `<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`),
    one('script', 'alert(1)', 'rex.js', 'text/javascript'),
    one('PHP', '<?php system($_GET["c"]);', 'rex.php.jpg'),
    one('shell', '#!/bin/sh\nrm -rf /\n'),
    one('PostScript', '%!PS\n(%pipe%id) (w) file\n', 'rex.eps'),
    one('PDF', '%PDF-1.7\n1 0 obj<</S/JavaScript/JS(app.alert(1))>>endobj\n%%EOF', 'rex.pdf'),
    one(
      'ImageMagick script',
      'push graphic-context\nimage over 0,0 0,0 "|id"\npop graphic-context\n',
      'rex.mvg',
    ),
    one('picture list', '@/etc/passwd', 'rex.txt'),

    one('GIF that is a script too', `GIF89a/*\x01\x01*/=1;alert(1)`),
    one('BMP that is a script too', `BM/*\x01\x01\x01*/=1;alert(1)`),
    one('HTML, then a JPEG', Buffer.concat([text(SCRIPT), jpeg!])),
    one('archive, then a JPEG', Buffer.concat([zipOf(jpeg!), jpeg!])),
    one('PDF around a JPEG', Buffer.concat([text('%PDF-1.4\n'), jpeg!, text('\n%%EOF')])),
    one('PNG head before HTML', Buffer.concat([PNG_HEAD, text(SCRIPT)]), 'rex.png', 'image/png'),
    one('JPEG with a thousand scans', pictureInScans(1000)),
    one('JPEG head before PHP', Buffer.concat([JPEG_HEAD, text('<?php phpinfo();')])),
    one('JPEG head before a PNG', Buffer.concat([JPEG_HEAD, photoPng!])),
    one('PNG head before a JPEG', Buffer.concat([PNG_HEAD, jpeg!]), 'rex.png', 'image/png'),

    one('PNG bomb of 900 megapixels', pngBomb(30_000), 'rex.png', 'image/png'),
    one('PNG bomb of 10 gigapixels', png(100_000, 100_000, deflateSync(Buffer.alloc(1_000_000)))),
    one('PNG of the largest claim', png(0x7fffffff, 0x7fffffff, deflateSync(Buffer.alloc(100)))),
    one('PNG of a negative size', png(-1, -1, deflateSync(Buffer.alloc(100)))),
    one('PNG of no size', png(0, 0, deflateSync(Buffer.alloc(100)))),
    one('JPEG that claims 65500 × 65500', jpegClaiming(jpeg!, 65_500, 65_500)),
    one('JPEG that claims no height', jpegClaiming(jpeg!, 640, 0)),

    one('nothing', ''),
    one('one byte', '\xff'),
    one('JPEG head alone', JPEG_HEAD),
    one('PNG head alone', PNG_HEAD, 'rex.png', 'image/png'),
    one('JPEG cut at a tenth', jpeg!.subarray(0, jpeg!.length / 10)),
    one('JPEG cut in the middle', jpeg!.subarray(0, jpeg!.length / 2)),
    one('JPEG cut near its end', jpeg!.subarray(0, jpeg!.length * 0.9)),
    one('PNG cut at a tenth', photoPng!.subarray(0, photoPng!.length / 10), 'rex.png', 'image/png'),
    one('PNG cut in the middle', photoPng!.subarray(0, photoPng!.length / 2), 'rex.png', 'image/png'),
    one('PNG without its sums', corrupt(photoPng!, 29, 4), 'rex.png', 'image/png'),
    one('PNG with broken pixels', corrupt(photoPng!, photoPng!.length >> 1, 400), 'rex.png', 'image/png'),

    one('WebP', webp!, 'rex.webp', 'image/webp'),
    one('WebP that calls itself JPEG', webp!),
    one('GIF', gif!, 'rex.gif', 'image/gif'),
    one('GIF that calls itself PNG', gif!, 'rex.png', 'image/png'),
    one('TIFF', tiff!, 'rex.tif', 'image/tiff'),
    one('AVIF', avif!, 'rex.avif', 'image/avif'),
    one('ICO', Buffer.from('000001000100101000000100200068040000160000', 'hex'), 'favicon.ico'),
    one('PNM', 'P6\n2 2\n255\n012345678901', 'rex.ppm'),
    one('film', Buffer.concat([Buffer.from('00000018', 'hex'), text('ftypmp42....isommp42')]), 'rex.mp4'),
    one('archive', zipOf(jpeg!), 'rex.zip'),
    one('program', Buffer.concat([text('\x7fELF'), Buffer.alloc(400)]), 'rex.jpg'),
    one('program of another system', Buffer.concat([text('MZ'), Buffer.alloc(400)]), 'rex.exe'),

    one('a way out of the folder as its name', SVG, '../../../../etc/cron.d/rex.jpg'),
    one('a name of 4,000 letters', SVG, `${'a'.repeat(4000)}.jpg`),
    one('a name that is a script', SVG, '<img src=x onerror=alert(1)>.jpg'),

    large('JPEG one byte too long', pad(jpeg!, PICTURE_BYTES + 1)),
    large('PNG one byte too long', pad(photoPng!, PICTURE_BYTES + 1), 'rex.png', 'image/png'),
    large('zeros, one byte too many', Buffer.alloc(PICTURE_BYTES + 1)),
    large('SVG one byte too long', pad(text(SVG), PICTURE_BYTES + 1), 'rex.svg', 'image/svg+xml'),
    large('40 MB', Buffer.alloc(40_000_000, 'x')),
  ]
}

/** Pictures that hide something else. We re-encode them, so the hidden part is lost. */
export async function pictureWithStowaway(): Promise<{ content: Buffer; hidden: string }> {
  const photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#a06030' } })
    .withExif({ IFD0: { ImageDescription: SCRIPT } })
    .jpeg()
    .toBuffer()
  return { content: Buffer.concat([photo, zipOf(photo), text(SCRIPT)]), hidden: SCRIPT }
}
