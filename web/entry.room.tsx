import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { openKept } from './chat/kept.ts'
import { Room } from './room/room.tsx'
import { PlaceLink } from './lib/page-address.tsx'
import { ReactPage } from './lib/react-page.tsx'

// A room is a separate document, so it runs without the router. The server's HTML is shown until this renders.
const draw = () =>
  createRoot(document.getElementById('alone')!).render(
    <StrictMode>
      <ReactPage link={PlaceLink} path={location.pathname}>
        <Room />
      </ReactPage>
    </StrictMode>,
  )

// The service worker answered with the stored page, so there is no network.
if ('kept' in document.documentElement.dataset)
  void openKept(Number(location.pathname.split('/')[2])).then(draw)
else draw()
