import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Room } from './room/room.tsx'
import { rowOf } from './lib/kinds.ts'
import { RoomLink } from './lib/place.tsx'
import { Running } from './lib/running.tsx'

// A room is a document of its own, so it runs without the router. The server's HTML is shown until this renders.
createRoot(document.getElementById('alone')!).render(
  <StrictMode>
    <Running link={RoomLink} path={rowOf(location.pathname).path}>
      <Room />
    </Running>
  </StrictMode>,
)
