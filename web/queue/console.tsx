import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { USER_TYPES, type User } from '#contract/accounts.ts'
import { goTo as goToCase, usePageAddress } from '../lib/page-address.tsx'
import { useStableCallbacks } from '../lib/stable-callbacks.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { Case, MESSAGES } from './console-case.tsx'
import { answers, mayTake } from './follow-up.tsx'
import { Lost, NoRoom } from './console-empty.tsx'
import { KeysDialog, useKeys } from './console-keys.tsx'
import { InCall, Outage } from './console-notices.tsx'
import { PaneBar, usePanes } from './console-panes.tsx'
import { ALONE, RecordPane, RecordWindow } from './record-pane.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { useMissingPictures } from './missing-pictures.ts'
import { SearchDialog } from './search-dialog.tsx'
import { StaffBar, Waits } from './staff-bar.tsx'
import { BarSearch, StaffTools } from './staff-tools.tsx'
import { caseAddress, Sidebar } from './sidebar.tsx'
import { inOrder, nextUnread, useCases } from './cases.ts'
import { nameOf } from '../consultations/case-words.ts'
import { usePresence } from '../consultations/room-changes.ts'
import { useTitleCount } from '../lib/title-count.ts'
import { Emergencies, useArrivals, useHandedOver } from './arrivals.tsx'
import { recordQuery } from '../clinical/queries.ts'
import { useOutage, useStaffChanges, useStaffRoom } from './queries.ts'
import { useTakeCase } from './take-case.ts'
import { useVetCall } from '../video/vet-call.ts'
import { SkipLink } from '../shell/skip-link.tsx'
import { currentUser } from '../lib/current-user.ts'

/** A case as vets and admins see it: the queue, the conversation, the record and the note. */
export function StaffRoom({ id, me }: { id: number; me: number }) {
  const self = useQuery(currentUser)
  const alone = usePageAddress().searchParams.get('only') === ALONE
  if (self.data?.id !== me) return null
  return alone ? <RecordWindow id={id} user={self.data} /> : <Console id={id} user={self.data} />
}

function Console({ id: chosen, user }: { id: number; user: User }) {
  // The row is marked straight away. The case with its messages and record follows.
  const id = useDeferredValue(chosen)
  const { show: tell } = useAlert()
  const asked = usePageAddress().searchParams
  const show = (['waiting', 'mine'] as const).find((one) => one === asked.get('show')) ?? 'all'
  const [asks, setAsks] = useState<'hand over' | 'keys' | 'search'>()
  const [whys, setWhys] = useState<Record<number, string>>({})
  const why = whys[id] ?? ''
  // J and K only show a case. The vet joins it when its conversation gets the focus.
  const [entered, enter] = useState(id)
  const joined = useDeferredValue(entered)
  const box = useRef<HTMLTextAreaElement>(null)

  useStaffChanges(user, id)
  useMissingPictures()
  const { cases, now, queue, followUps, waits, unread } = useCases(user.id, id, joined)
  usePresence(user.type === USER_TYPES.vet ? entered : null, true, true)
  const outage = useOutage(!queue.isError, () => void queue.refetch())
  const room = useStaffRoom(id, why)
  const record = useQuery({ ...recordQuery(id, why), enabled: room.data !== undefined })
  const waiting = [...cases.first, ...cases.waiting]
  useTitleCount(
    waits === undefined ? undefined : waits + unread,
    room.data ? `${room.data.pet.name} with ${nameOf(room.data)}` : 'One case',
  )

  const [passed] = useState(() => new Set<number>())
  const order = inOrder(cases, show)
  const goTo = (next: number | undefined) => {
    if (next !== undefined && next !== chosen) goToCase(caseAddress(next, show))
  }
  const move = (by: 1 | -1) => {
    const at = order.indexOf(chosen)
    goTo(at < 0 ? order[by > 0 ? 0 : order.length - 1] : order[at + by])
  }
  const mine = room.data?.vet_id === user.id
  const isVet = user.type === USER_TYPES.vet
  const isOpenCase = mine && room.data?.end === null
  const writes = room.data !== undefined && answers(room.data, user)
  const taking = useTakeCase({ shown: id, writes, box, onTaken: enter })
  const vetCall = useVetCall(id, (says) => tell(says, 'failed'))
  const { call, starting } = vetCall
  const callHere = call?.consultation === id ? call : undefined
  const panes = usePanes(id, box, callHere)
  useArrivals(
    waits,
    waiting.map(({ id }) => id),
    call !== undefined,
  )
  useHandedOver(call !== undefined)
  useFocusAfter(call !== undefined, () => box.current ?? document.querySelector<HTMLElement>(MESSAGES))
  useFocusAfter(why !== '' && !room.data, () => document.querySelector<HTMLElement>(MESSAGES))
  const isHandedOn = callHere !== undefined && room.data !== undefined && !isOpenCase
  // The call ends straight away here; the server ends it a few seconds later.
  const hangUp = useEffectEvent(() => call?.store.stop())
  useEffect(() => {
    if (isHandedOn) hangUp()
  }, [isHandedOn])
  // The note is written during the call, so it's shown beside the picture.
  const showNote = useEffectEvent(() => panes.setTab('note'))
  useEffect(() => {
    if (callHere) showNote()
  }, [callHere])
  /** What had the focus belongs to the case that is left. From its row the focus moves along. */
  const toRow = () => document.querySelector<HTMLElement>('#queue [tabindex="0"]')?.focus()
  const step = (by: 1 | -1) => {
    toRow()
    move(by)
  }
  const keys = useKeys(
    {
      next: () => step(1),
      previous: () => step(-1),
      nextUnread: () => {
        const next = nextUnread(cases.own, chosen, passed)
        if (next === undefined) return tell('Nothing else is unread.', 'info')
        toRow()
        enter(next)
        goTo(next)
      },
      take: () => room.data && mayTake(room.data, user) && taking.take(id),
      write: panes.write,
      toQueue: () => {
        taking.leave()
        panes.toQueue()
      },
      toNote: () => panes.toNote('#tab-panel-note textarea'),
      toMessages: panes.toMessages,
      handOver: () => isOpenCase && setAsks('hand over'),
      privateNote: () => isVet && room.data && panes.openPrivateNote(),
      video: () => isOpenCase && vetCall.start(),
      level: panes.toLevel,
      search: () => setAsks('search'),
      showKeys: () => setAsks('keys'),
      saved: () => tell('You don’t need to save. It happens automatically as you type.'),
    },
    { there: chosen === id && !room.isPending, recordThere: room.isError || !record.isPending },
    taking.types,
  )
  const acts = useStableCallbacks({
    onMove: move,
    onQueueAgain: () => void queue.refetch(),
    onEnter: () => enter(id),
    onTake: () => taking.take(id),
    onVideo: vetCall.start,
    onHandOver: () => setAsks('hand over'),
    onRecord: () => panes.setPane('record'),
    onNoting: (open: boolean) => (open ? panes.openPrivateNote() : panes.closePrivateNote()),
    onEnd: () => panes.toNote('#end'),
    onTab: panes.setTab,
    onKeys: () => setAsks('keys'),
    onBack: () => panes.setPane('chat'),
  })

  return (
    <div
      data-pane={panes.pane}
      className="group/panes relative grid h-dvh min-h-0 print:block print:h-auto print:overflow-visible grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] overflow-clip max-[63.99rem]:[@media(height<320px)]:grid-rows-[auto_minmax(24rem,1fr)_auto] max-[63.99rem]:[@media(height<320px)]:overflow-y-auto min-[64rem]:grid-cols-[300px_minmax(0,1fr)] min-[80rem]:grid-cols-[308px_minmax(0,1fr)_392px] min-[87.5rem]:grid-cols-[340px_minmax(0,1fr)_420px]"
    >
      <SkipLink
        href="#talk"
        onClick={(event) => {
          event.preventDefault()
          panes.write()
        }}
      >
        Skip to message
      </SkipLink>
      <div className="col-span-full min-w-0">
        <StaffBar
          address={`/text-chat/${id}`}
          waits={<Waits count={waits} />}
          tools={
            <>
              <BarSearch />
              <StaffTools user={user} onKeys={acts.onKeys} />
            </>
          }
        />
        <div role="status">{outage && <Outage since={outage} />}</div>
      </div>
      <Emergencies
        waiting={queue.data?.consultations}
        asked={followUps}
        own={user.consultations}
        entered={entered}
      />
      <main className="contents">
        <h1 className="sr-only">
          {room.data ? `${room.data.pet.name} with ${nameOf(room.data)}` : 'One case'}
        </h1>
        <div
          className="grid min-h-0 grid-cols-[minmax(0,1fr)] max-[63.99rem]:hidden max-[63.99rem]:group-data-[pane=queue]/panes:grid print:hidden!"
          onClickCapture={(event) => {
            const link = event.target instanceof Element && event.target.closest('a[href*="-chat/"]')
            if (!link || link.closest('nav')) return
            panes.setPane('chat')
            enter(Number(/-chat\/(\d+)/.exec(link.getAttribute('href')!)?.[1]))
          }}
          role="presentation"
        >
          <Sidebar
            cases={cases}
            state={queue.data ? (queue.isError ? 'old' : 'here') : queue.isError ? 'failed' : 'loading'}
            onRetry={acts.onQueueAgain}
            now={now}
            shown={chosen}
            show={show}
            inCall={call?.consultation}
            singleKeys={keys.single}
            takes={isVet}
            onMove={acts.onMove}
          />
        </div>
        <section
          id="talk"
          aria-label="Conversation"
          className="grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(0,1fr)] has-[>:nth-child(4)]:grid-rows-[auto_auto_auto_minmax(0,1fr)] bg-card print:[&_:is([data-composer],button)]:hidden max-[63.99rem]:hidden max-[63.99rem]:group-data-[pane=chat]/panes:grid min-[64rem]:max-[79.99rem]:group-data-[pane=record]/panes:hidden"
        >
          {call && call.consultation !== id && (
            <InCall
              call={call}
              pet={cases.own.find(({ one }) => one.id === call.consultation)?.one.pet.name}
              href={caseAddress(call.consultation, show)}
            />
          )}
          {room.data ? (
            <Case
              room={room.data}
              record={record.data}
              user={user}
              box={box}
              entered={joined === id}
              {...acts}
              taking={taking.isPending}
              singleKeys={keys.single}
              lost={
                taking.lost?.id === id && (
                  <Lost
                    why={taking.lost.why}
                    next={waiting.find((one) => one.id !== id)}
                    now={now}
                    onTake={(next) => {
                      goTo(next)
                      taking.take(next)
                    }}
                    onClose={() => {
                      taking.close()
                      panes.write()
                    }}
                  />
                )
              }
              call={callHere}
              ringing={starting}
              noting={panes.isNoting}
            />
          ) : (
            <NoRoom
              error={room.error}
              onRetry={() => void room.refetch()}
              onWhy={(words) => setWhys({ ...whys, [id]: words })}
            />
          )}
        </section>
        <section
          id="record"
          aria-label="Record and note"
          className="grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] border-line bg-paper text-14 max-[79.99rem]:hidden max-[79.99rem]:group-data-[pane=record]/panes:grid min-[64rem]:border-l"
        >
          {room.data && (
            <RecordPane
              room={room.data}
              why={why}
              user={user}
              tab={panes.tab}
              onTab={acts.onTab}
              singleKeys={keys.single}
              alone={`/text-chat/${id}?only=${ALONE}`}
              onBack={acts.onBack}
            />
          )}
        </section>
      </main>
      <PaneBar shown={panes.pane} onShow={panes.setPane} waits={waits} />
      {asks === 'hand over' && room.data && (
        <HandOverDialog
          room={room.data}
          me={user.id}
          onClose={() => setAsks(undefined)}
          onDone={() => {
            flushSync(() => setAsks(undefined))
            panes.write()
          }}
        />
      )}
      {asks === 'search' && <SearchDialog onClose={() => setAsks(undefined)} />}
      {asks === 'keys' && (
        <KeysDialog single={keys.single} onTurn={keys.turn} onClose={() => setAsks(undefined)} />
      )}
    </div>
  )
}
