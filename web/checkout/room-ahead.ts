/** Fetches the room's scripts before the room is opened: it runs on React, which the pages that sell don't bring. */
export function fetchRoomAhead() {
  const { room } = document.documentElement.dataset
  if (!room) return
  delete document.documentElement.dataset['room']
  for (const href of room.split(' '))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'prefetch', as: 'script', href }),
    )
}
