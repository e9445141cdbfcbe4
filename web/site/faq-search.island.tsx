import { useEffect, useRef, useState } from 'react'

const plain = (words: string) => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Filters the page's questions by any word in them. Hidden without scripts, because it couldn't search. */
export default function FaqSearch({ count }: { count: number }) {
  const [found, setFound] = useState(count)
  const box = useRef<HTMLInputElement>(null)

  const search = (typed: string) => {
    const words = plain(typed).split(/\s+/).filter(Boolean)
    let shown = 0
    for (const group of document.querySelectorAll<HTMLElement>('[data-questions]')) {
      let here = 0
      for (const question of group.querySelectorAll<HTMLElement>('details')) {
        const asked = plain(question.querySelector('summary')?.textContent ?? '')
        question.hidden = words.length > 0 && !words.some((word) => asked.includes(word))
        if (!question.hidden) here++
      }
      group.hidden = here === 0
      shown += here
    }
    setFound(shown)
  }
  // Reads what was typed before the script ran.
  useEffect(() => search(box.current!.value), [])

  return (
    <div className="stack gap-2 [@media(scripting:none)]:hidden">
      <label htmlFor="faq-search" className="font-semi">
        Search the questions
      </label>
      <div className="relative">
        <svg
          width={24}
          height={24}
          viewBox="0 0 24 24"
          aria-hidden="true"
          className="pointer-events-none absolute top-4 left-4 drawn text-ink-soft"
        >
          <path d="M21 21l-4.3-4.3M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0z" />
        </svg>
        <input
          ref={box}
          id="faq-search"
          type="search"
          autoComplete="off"
          maxLength={100}
          onChange={({ target }) => search(target.value)}
          className="control min-h-14! pl-13! text-18!"
        />
      </div>
      <p role="status" className="text-14 text-ink-soft">
        {found === 0
          ? 'No questions match. Try fewer words, or write to us below.'
          : found === 1
            ? '1 question'
            : `${found} questions`}
      </p>
    </div>
  )
}
