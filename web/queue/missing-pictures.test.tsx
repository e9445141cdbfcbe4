import { expect, it } from 'vitest'
import { mount } from '../test/mount.tsx'
import { useMissingPictures } from './missing-pictures.ts'

function Case() {
  useMissingPictures()
  return <img alt="" width={40} height={40} />
}

it('a drawing that can’t be loaded shows no broken image, and is loaded again when the network is back [CON-3]', async () => {
  mount(<Case />)
  const picture = () => document.querySelector('img')!
  await expect.poll(picture).not.toBe(null)
  picture().setAttribute('src', 'blob:nothing')
  await expect.poll(() => picture().style.visibility).toBe('hidden')
  picture().setAttribute('src', 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=')
  dispatchEvent(new Event('online'))
  await expect.poll(() => [picture().style.visibility, picture().naturalWidth]).toEqual(['', 1])
})
