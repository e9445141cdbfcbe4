import { useLayoutEffect } from 'react'

/** Puts a number, unless it's 0, in front of the page's title, or of this name. */
export function useTitleCount(count: number | undefined, name?: string) {
  // Before the observer hears of the router's next title, which it would overwrite with this page's name.
  useLayoutEffect(() => {
    const before = bareTitle()
    const named = name && `${name} · VetChat`
    const mark = () => {
      const bare = named ?? bareTitle()
      const whole = count ? `(${count}) ${bare}` : bare
      if (document.title !== whole) document.title = whole
    }
    mark()
    // The router rewrites the title when it changes the page.
    const watch = new MutationObserver(mark)
    watch.observe(document.head, { subtree: true, childList: true, characterData: true })
    return () => {
      watch.disconnect()
      document.title = bareTitle() === named ? before : bareTitle()
    }
  }, [count, name])
}

const bareTitle = () => document.title.replace(/^\(\d+\) /, '')
