import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type KeyboardEvent, memo, type ReactNode, useEffect, useState } from 'react'
import { USER_TYPES, type User } from '#contract/accounts.ts'
import type { Output } from '#contract/call.ts'
import type { listFiles } from '#contract/chat.ts'
import type { Room } from '#contract/consultations.ts'
import { AttachmentView } from '../chat/attachment.tsx'
import { filesOf } from '../chat/queries.ts'
import { NotePane } from '../clinical/note.tsx'
import { RecordPart } from '../clinical/record-part.tsx'
import { recordQuery } from '../clinical/queries.ts'
import { dayAndTime, time } from '../lib/dates.ts'
import { nameOf } from '../consultations/case-words.ts'
import { Button } from '../ui/button.tsx'
import { IconLink } from '../ui/icon-button.tsx'
import { RowsLoading } from '../ui/rows-loading.tsx'
import { useTextDraft } from '../ui/text-draft.ts'
import { NoRoom } from './console-empty.tsx'
import { LevelPart } from './level-part.tsx'
import { useDuty, useStaffChanges, useStaffRoom } from './queries.ts'

export type RecordTab = 'note' | 'record' | 'files'

const TABS: { tab: RecordTab; said: string }[] = [
  { tab: 'note', said: 'Note' },
  { tab: 'record', said: 'Record' },
  { tab: 'files', said: 'Files' },
]
/** The open tab, which survives a reload. */
export function useTab() {
  const { words, write } = useTextDraft('record-tab', 'record')
  const tab = TABS.find((one) => one.tab === words)?.tab ?? 'record'
  return [tab, write as (tab: RecordTab) => void] as const
}

/** In a case's address: only the record, in its own window. */
export const ALONE = 'record'

interface PaneProps {
  room: Room
  why: string
  user: User
  tab: RecordTab
  onTab: (tab: RecordTab) => void
  singleKeys: boolean
  /** Leads back to the conversation, where the record replaces it. */
  onBack?: () => void
  /** The address that opens it in its own window; undefined if it is in one. */
  alone?: string
}

/** Beside the conversation: the note, the pet's record, and the files. All three stay mounted, so no text is lost. */
export const RecordPane = memo(function RecordPane(props: PaneProps) {
  const { room, why, user, tab, onTab, singleKeys, onBack, alone } = props
  const asked = useQuery(recordQuery(room.id, why))
  const record = asked.data
  const files = useQuery(filesOf(room.id))
  const writes = room.vet_id === user.id
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const at = TABS.findIndex((one) => one.tab === tab)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const next = TABS.at(to % TABS.length)!.tab
    onTab(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <>
      <div className="flex min-h-[53px] items-center gap-2 border-b border-line px-4 py-2 print:hidden">
        {onBack && (
          <span className="hidden min-[64rem]:max-[79.99rem]:block">
            <Button variant="text" size={36} icon="arrow-left" className="px-2!" onClick={onBack}>
              Chat
            </Button>
          </span>
        )}
        <div role="tablist" aria-label="Note, record and files" className="segments">
          {TABS.map(({ tab: one, said }) => (
            <button
              key={one}
              id={`tab-${one}`}
              type="button"
              role="tab"
              aria-selected={one === tab}
              aria-controls={`tab-panel-${one}`}
              tabIndex={one === tab ? 0 : -1}
              onClick={() => onTab(one)}
              onKeyDown={press}
              className="segment"
            >
              {said}
              {one === 'files' && files.data && files.data.length > 0 && (
                <span className="tabular-nums">{files.data.length}</span>
              )}
            </button>
          ))}
        </div>
        {alone && (
          <IconLink
            label="Open the record in its own window"
            icon="external-link"
            href={alone}
            target="_blank"
            className="ml-auto pointer-fine:size-9"
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              open(alone, `record-${room.id}`, 'popup,width=460,height=900')
            }}
          />
        )}
      </div>
      <Panel of="note" shown={tab}>
        {record ? (
          <NotePane key={room.id} room={room} note={record.note} why={why} writes={writes} />
        ) : (
          <RowsLoading of={asked} what="the note" rows={4} />
        )}
      </Panel>
      <Panel of="record" shown={tab}>
        {record ? (
          <RecordPart
            room={room}
            record={record}
            writes={writes}
            level={
              <LevelPart
                key={room.id}
                room={room}
                changes={user.type === USER_TYPES.vet && room.end === null}
                singleKeys={singleKeys}
              />
            }
          />
        ) : (
          <RowsLoading of={asked} what="the record" rows={4} />
        )}
      </Panel>
      <Panel of="files" shown={tab}>
        <Files room={room} files={files} />
      </Panel>
    </>
  )
})

const Panel = ({ of, shown, children }: { of: RecordTab; shown: RecordTab; children: ReactNode }) => (
  <div
    id={`tab-panel-${of}`}
    role="tabpanel"
    aria-labelledby={`tab-${of}`}
    hidden={of !== shown}
    className="min-h-0 scroll-pb-20 overflow-y-auto print:overflow-visible"
  >
    {children}
  </div>
)

function Files({ room, files }: { room: Room; files: UseQueryResult<Output<typeof listFiles>> }) {
  if (!files.data) return <RowsLoading of={files} what="the files" />
  if (files.data.length === 0)
    return <p className="p-4 text-ink-soft">Nobody has sent a photo, video or PDF yet.</p>
  return (
    <ul className="grid grid-cols-2 gap-3 p-4">
      {files.data.map(({ attachment, user_id, at }) => {
        const name = room.people.find(({ id }) => id === user_id)?.name ?? 'VetChat'
        return (
          <li
            key={attachment.id}
            className={`grid min-w-0 content-start gap-1 ${attachment.kind === 'picture' ? '' : 'col-span-2'}`}
          >
            <AttachmentView attachment={attachment} said={`Photo from ${name}, ${time(at)}`} album />
            <p className="text-ink-soft">
              {name}, {dayAndTime(at)}
            </p>
          </li>
        )
      })}
    </ul>
  )
}

export function RecordWindow({ id, user }: { id: number; user: User }) {
  const [tab, setTab] = useTab()
  const [why, setWhy] = useState('')
  const room = useStaffRoom(id, why)
  useStaffChanges(user, id)
  useDuty(user)
  const pet = room.data?.pet.name
  useEffect(() => void (document.title = `${pet ? `Record of ${pet}` : 'Record'} · VetChat`), [pet])
  return (
    <main className="grid h-dvh print:block grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] bg-paper text-14">
      <h1 className="truncate border-b border-line bg-card px-4 py-3 text-16 font-semi">
        {room.data ? `${room.data.pet.name} with ${nameOf(room.data)}, ${id}` : 'Record'}
      </h1>
      {room.data ? (
        <RecordPane room={room.data} why={why} user={user} tab={tab} onTab={setTab} singleKeys={false} />
      ) : (
        <NoRoom error={room.error} onRetry={() => void room.refetch()} onWhy={setWhy} />
      )}
    </main>
  )
}
