import { useState } from 'react'

const plain = (words: string) => words.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Filters the questions of the page by any word of theirs. Without script there is nothing to search with, and it is not shown. */
export default function FaqSearch({ count }: { count: number }) {
  const [found, setFound] = useState(count)

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

  return (
    <div className="stack gap-2 [@media(scripting:none)]:hidden">
      <label htmlFor="faq-search" className="font-semi">
        Search the questions
      </label>
      <input
        id="faq-search"
        type="search"
        autoComplete="off"
        maxLength={100}
        onChange={({ target }) => search(target.value)}
        className="control min-h-14! text-18!"
      />
      <p role="status" className="text-14 text-ink-soft">
        {found === 0
          ? 'No question has these words. Try fewer, or write to us below.'
          : found === 1
            ? '1 question'
            : `${found} questions`}
      </p>
    </div>
  )
}
