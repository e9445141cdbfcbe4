import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { film, pdf } from '#test/documents.ts'
import { photo } from '#test/pictures.ts'
import { kindOf } from './content-types.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'vetchat-content-'))
afterAll(() => rmSync(folder, { recursive: true }))
function kept(content: Buffer) {
  const file = path.join(folder, 'file')
  writeFileSync(file, content)
  return file
}

it('a file is recognised by its content, and only if it is whole [CON-4] [PET-10]', async () => {
  const whole = pdf()
  for (const [content, kind] of [
    [whole, 'pdf'],
    [whole.subarray(0, -10), null],
    [Buffer.concat([Buffer.from('<script>'), whole]), null],
    [Buffer.concat([whole, Buffer.from('PK\u0003\u0004')]), null],
    [Buffer.from('%PDF-1.4'), null],
    [film({ seconds: 12 }), 'mp4'],
    [film({ seconds: 12, brand: 'qt  ' }), 'mov'],
    [film({ seconds: 12, brand: 'heic' }), null],
    [Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d', 'hex'), 'webm'],
    [Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282886d6174726f736b61', 'hex'), null],
    [await photo(), null],
    [Buffer.from('MZ'), null],
    [Buffer.alloc(0), null],
  ] as const)
    expect(await kindOf(kept(content)), content.toString('latin1', 0, 20)).toBe(kind)
})
