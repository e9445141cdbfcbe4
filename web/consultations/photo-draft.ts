// Photos that were chosen and not sent, in sessionStorage with their form's draft. They last as long as the tab, and
// signing out deletes them.

import { keepInTab, keptInTab } from '../ui/tab-storage.ts'

/** One photo on its way into a consult. It has the same id at every attempt. */
export interface Photo {
  id: string
  file: File
}

const placeOf = (draft: string) => `photos:${draft}`

const asText = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve((reader.result as string).split(',')[1]!))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('FileReader')))
    reader.readAsDataURL(file)
  })

const asFile = (text: string) =>
  new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], 'photo.jpg', {
    type: 'image/jpeg',
  })

export const keptPhotos = (draft: string): Photo[] =>
  keptInTab<{ id: string; text: string }[]>(placeOf(draft))?.map(({ id, text }) => ({
    id,
    file: asFile(text),
  })) ?? []

export async function textsOf(photos: Photo[]) {
  return Promise.all(photos.map(async ({ id, file }) => ({ id, text: await asText(file) })))
}

export function keepPhotos(draft: string, kept: Awaited<ReturnType<typeof textsOf>>) {
  const isKept = keepInTab(placeOf(draft), kept.length > 0 ? JSON.stringify(kept) : null)
  // The page has all of them until the person leaves it. As many as fit survive a reload.
  if (!isKept && kept.length > 0) keepPhotos(draft, kept.slice(0, -1))
}

/**
 * Hands the photos to the consult's room, which sends them. Any that can't be stored can be chosen again there; the
 * next consult mustn't start with them.
 */
export async function handOverPhotos(draft: string, consultation: number, photos: Photo[]) {
  try {
    // After a reload, the form may not have been shown again.
    const chosen = photos.length > 0 ? photos : keptPhotos(draft)
    if (chosen.length === 0) return
    const { leavePhotos } = await import('../chat/outbox.ts')
    await leavePhotos(consultation, chosen)
  } catch (error) {
    reportError(error)
  } finally {
    keepPhotos(draft, [])
  }
}
