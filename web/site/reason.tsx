import type { ReactNode } from 'react'
import { IconTile } from '../shell/page-parts.tsx'
import type { IconName } from '../ui/icon.tsx'

/** An icon with a title and a sentence: beside them on a phone, above them where these stand in columns. */
export const Reason = ({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) => (
  <div className="grid grid-cols-[48px_minmax(0,1fr)] content-start gap-x-4 gap-y-1 md:grid-cols-[minmax(0,1fr)] md:gap-2">
    <div className="row-span-2 md:row-auto md:mb-2">
      <IconTile icon={icon} />
    </div>
    <h3 className="t18">{title}</h3>
    <p className="text-ink-soft">{children}</p>
  </div>
)
