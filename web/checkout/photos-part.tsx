import type { Photo } from '../consultations/photo-draft.ts'
import { useLate } from '../ui/late.ts'
import { Skeleton } from '../ui/skeleton.tsx'

const load = () => import('../consultations/photos.tsx')

/** Photos of what's wrong. They load after the page, and stay on this device until the room sends them. */
export function PhotosPart({
  photos,
  onPhotos,
}: {
  photos: Photo[]
  onPhotos: (change: (photos: Photo[]) => Photo[]) => void
}) {
  const { part } = useLate(load)
  // The consult can be bought without photos: the room accepts them too.
  if (!part) return <Skeleton className="h-[124px] max-w-80 rounded-card" />
  return <part.Photos draft="purchase" photos={photos} onPhotos={onPhotos} />
}
