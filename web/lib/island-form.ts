import { type FormEvent, useState } from 'react'
import { callFromIsland } from './island-call.ts'

/** A form where there is no room for our own form state: sends its fields to a call, and says what's wrong with them. */
export function useIslandForm(path: string) {
  const [state, setState] = useState<'typing' | 'sending' | 'sent'>('typing')
  const [wrong, setWrong] = useState('')
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (state === 'sending') return
    const form = Object.fromEntries(new FormData(event.currentTarget))
    setState('sending')
    const refused = await callFromIsland(path, form)
    setWrong(refused ?? '')
    setState(refused === null ? 'sent' : 'typing')
  }
  return { state, wrong, onSubmit: (event: FormEvent<HTMLFormElement>) => void send(event) }
}
