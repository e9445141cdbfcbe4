/** Fetches what the room needs beyond this page's own scripts before the room is opened. */
export function preloadRoom() {
  const { room } = document.documentElement.dataset
  if (!room) return
  delete document.documentElement.dataset['room']
  for (const href of room.split(' '))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'prefetch', as: 'script', href }),
    )
}
