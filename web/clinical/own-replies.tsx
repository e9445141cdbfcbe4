import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { REPLY_WORDS } from '#contract/clinical.ts'
import * as lengths from '#contract/lengths.ts'
import { failed } from '../lib/api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { replies, useRemoveReply, useSaveReply } from './queries.ts'

export function OwnRepliesDialog({ onClose }: { onClose: () => void }) {
  const all = useQuery(replies)
  const own = all.data?.filter((one) => one.own)
  const [edited, edit] = useState<{ id?: number; title: string; body: string }>()
  const remove = useRemoveReply()
  const adds = useRef<HTMLDivElement>(null)
  const toList = () => adds.current?.querySelector('button')?.focus()
  return (
    <Dialog title="Your replies" onClose={onClose}>
      {edited ? (
        <Editor key={edited.id} {...edited} onDone={() => (flushSync(() => edit(undefined)), toList())} />
      ) : own ? (
        <>
          {own.length === 0 ? (
            <p className="text-ink-soft">
              You have none yet. Write what you say often, and find it by typing / in the message box.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {own.map((reply) => (
                <li key={reply.id} className="flex flex-wrap items-center gap-x-3 py-2">
                  <p className="min-w-48 flex-1 leading-snug [overflow-wrap:anywhere]">
                    <b className="block font-semi">{reply.title}</b>
                    <span className="text-14 text-ink-soft">{reply.body}</span>
                  </p>
                  <Button variant="text" size={44} onClick={() => edit(reply)}>
                    Edit<span className="sr-only"> {reply.title}</span>
                  </Button>
                  <Button
                    variant="text"
                    size={44}
                    busy={remove.isPending && remove.variables.id === reply.id}
                    onClick={() => remove.mutate({ id: reply.id }, { onSuccess: toList })}
                  >
                    Delete<span className="sr-only"> {reply.title}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <ErrorLine>{remove.isError && failed(remove.error)}</ErrorLine>
          <div ref={adds}>
            <Button icon="plus" onClick={() => edit({ title: '', body: '' })}>
              New reply
            </Button>
          </div>
        </>
      ) : (
        <RowsLoading of={all} what="your replies" />
      )}
    </Dialog>
  )
}

const rules = ({ title, body }: { title: string; body: string }) => ({
  title: !title.trim() && 'Give it a name to find it by.',
  body: !body.trim() && 'Write the reply.',
})

function Editor({ id, onDone, ...before }: { id?: number; title: string; body: string; onDone: () => void }) {
  const save = useSaveReply()
  const form = useForm({ rules, defaults: before })
  const { hook } = form
  useLayoutEffect(() => hook.setFocus('title'), [hook])
  return (
    <Form
      form={form}
      className="stack gap-4"
      onSubmit={({ title, body }) => save({ id, title: title.trim(), body: body.trim() }).then(onDone)}
    >
      <TextField label="Name" maxLength={lengths.name} {...form.field('title')} />
      <Textarea
        label="What it says"
        help={`Filled in: ${REPLY_WORDS.map((word) => `{${word}}`).join(' ')}. Any other {word in braces} has to be written before it is sent.`}
        maxLength={lengths.reply}
        {...form.field('body')}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={form.busy} busyLabel="Saving…">
          Save
        </Button>
        <Button variant="text" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
