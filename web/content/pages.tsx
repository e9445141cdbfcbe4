import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { CONTENT_KINDS, type ContentKind, type ListedContent } from '#contract/content.ts'
import type { Resource } from '#contract/library.ts'
import { everyResource } from '../library/queries.ts'
import { ResourceDialog } from '../library/resource-dialog.tsx'
import { KINDS as RESOURCE_KINDS } from '../library/resource-rules.ts'
import { SearchField } from '../lib/search-field.tsx'
import { useSorting } from '../lib/sorting.ts'
import { useSearchKeys } from '../queue/console-keys.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { useFocusAfter } from '../ui/focus-after.ts'
import { Menu, MenuButton } from '../ui/menu.tsx'
import { pageIn, Pager } from '../ui/pager.tsx'
import { Link } from '../ui/link.tsx'
import { allOf } from '../ui/rows-loading.tsx'
import { ViewHead, ViewLoading } from '../ui/view-frame.tsx'
import { BY, ContentRows, type Row } from './content-rows.tsx'
import { KINDS } from './content-words.ts'
import { Editor } from './editor.tsx'
import { everyContent, useAddContent } from './queries.ts'

const PAGE = 20
const ADDED = ['question', 'partner', 'testimonial', 'reply', 'emergency_clinic'] as const

/** What admins write for visitors and vets, or the editor for one item. The address has the filters and the item. */
export default function Pages() {
  const [asked] = useSearchParams()
  const [kind = '', item = ''] = (asked.get('item') ?? '').split('.')
  const isList = !CONTENT_KINDS.includes(kind as ContentKind) || !item
  useFocusAfter(isList, () => {
    scrollTo(0, 0)
    return document.getElementById('main')
  })
  useFocusAfter(!isList, () => document.getElementById('main'))
  return isList ? <PageList /> : <Editor kind={kind as ContentKind} item={item} />
}

const editAt = (kind: string, item: string) => `/admin/pages?item=${kind}.${item}`

const rowOf = ({
  kind,
  item,
  title,
  text,
  is_live,
  has_draft,
  is_clinical,
  reviewed,
  changed,
}: ListedContent): Row => ({
  key: `${kind} ${item}`,
  title,
  about: kind === 'announcement' && is_live ? text : KINDS[kind].one,
  icon: KINDS[kind].icon,
  text: `${title} ${text}`.toLowerCase(),
  segment: kind,
  state: is_live ? 'live' : has_draft ? 'draft' : 'off',
  isChanged: has_draft,
  review: !is_clinical ? 'not needed' : (reviewed ?? 'waits'),
  changed: { who: changed.is_mine ? 'You' : (changed.by ?? ''), at: changed.at },
  href: editAt(kind, item),
})

const rowOfResource = (resource: Resource, onEdit: () => void): Row => ({
  key: `resource ${resource.id}`,
  title: resource.title,
  about: `Resource, ${RESOURCE_KINDS[resource.type - 1]!.label}`,
  icon: resource.type === 3 ? 'video' : 'book-open',
  text: `${resource.title} ${resource.description}`.toLowerCase(),
  segment: resource.type === 3 ? 'video' : 'resource',
  state: resource.is_public ? 'live' : 'off',
  isChanged: false,
  review: resource.reviewed ?? 'waits',
  changed: { who: '', at: resource.created_at },
  onEdit,
})

const SEGMENTS = [
  { value: '', label: 'All' },
  ...CONTENT_KINDS.map((kind) => ({ value: kind as string, label: KINDS[kind].many })),
  { value: 'video', label: 'Videos' },
  { value: 'resource', label: 'Resources' },
]

const STATES: { value: string; label: string; holds: (row: Row) => boolean }[] = [
  { value: '', label: 'Any state', holds: () => true },
  { value: 'changed', label: 'Changed', holds: ({ state, isChanged }) => state === 'live' && isChanged },
  { value: 'draft', label: 'Drafts', holds: ({ state }) => state === 'draft' },
  { value: 'review', label: 'Waiting for a vet', holds: ({ review }) => review === 'waits' },
]

function PageList() {
  const list = useQuery(everyContent)
  const library = useQuery(everyResource)
  const add = useAddContent()
  const go = useNavigate()
  const [asked] = useSearchParams()
  const [edited, edit] = useState<Resource>()
  const search = useRef<HTMLInputElement>(null)
  const kind = asked.get('kind') ?? ''
  const state = asked.get('state') ?? ''
  const q = asked.get('q')?.trim() ?? ''
  const { head, inOrder } = useSorting(BY, '-changed')

  useSearchKeys(search)

  const addressOf = (change: Record<string, string>) => {
    const next = new URLSearchParams(asked)
    next.delete('page')
    for (const [name, value] of Object.entries(change))
      if (value) next.set(name, value)
      else next.delete(name)
    return `/admin/pages${next.size > 0 ? `?${next}` : ''}`
  }

  const all =
    list.data &&
    library.data &&
    inOrder([
      ...list.data.map(rowOf),
      ...library.data.map((resource) => rowOfResource(resource, () => edit(resource))),
    ])
  const ofKind = all?.filter(({ segment }) => kind === '' || segment === kind)
  const { holds } = STATES.find(({ value }) => value === state) ?? STATES[0]!
  const found = ofKind?.filter((row) => row.text.includes(q.toLowerCase()) && holds(row))
  const pages = Math.ceil((found?.length ?? 0) / PAGE)
  const page = Math.min(pageIn(asked), pages)
  const banner = list.data?.some((one) => one.kind === 'announcement' && one.is_live)

  return (
    <>
      <ViewHead
        title="Pages"
        action={
          <span className="flex flex-wrap gap-2">
            <LinkButton size={36} href={editAt('announcement', 'all')}>
              Banner{list.data && (banner ? ': on' : ': off')}
            </LinkButton>
            <Menu
              label="Add"
              renderOpener={(opener) => (
                <Button {...opener} icon="plus" size={36}>
                  Add
                </Button>
              )}
            >
              {ADDED.map((one) => (
                <MenuButton
                  key={one}
                  icon={KINDS[one].icon}
                  onClick={() =>
                    add.mutate({ kind: one }, { onSuccess: ({ item }) => void go(editAt(one, item)) })
                  }
                >
                  {KINDS[one].one}
                </MenuButton>
              ))}
            </Menu>
          </span>
        }
      />
      <p className="-mt-3 text-14 text-ink-soft">What you publish is on the public pages within a second.</p>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <nav aria-label="Kind" className="segments flex-wrap">
          {SEGMENTS.map(({ value, label }) => (
            <Link
              key={value}
              href={addressOf({ kind: value })}
              aria-current={kind === value ? 'page' : undefined}
              className="segment"
            >
              {label}
              {value === '' && all && <span className="tabular-nums">{all.length}</span>}
            </Link>
          ))}
        </nav>
        <SearchField
          ref={search}
          label="Title or text"
          q={q}
          onSearch={(words) => void go(addressOf({ q: words }), { replace: true, preventScrollReset: true })}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <nav aria-label="State" className="flex flex-wrap gap-2">
          {STATES.map(({ value, label, holds }) => (
            <Link
              key={value}
              href={addressOf({ state: value })}
              aria-current={state === value ? 'page' : undefined}
              className="inline-flex min-h-9 items-center rounded-full border border-line bg-paper-sunk px-3 text-14 font-semi text-ink-soft no-underline hover:text-ink aria-[current]:border-transparent aria-[current]:bg-green-soft aria-[current]:text-green-soft-ink pointer-coarse:min-h-11"
            >
              {label}
              {value && ofKind && `, ${ofKind.filter(holds).length}`}
            </Link>
          ))}
        </nav>
        <p role="status" className="text-14 text-ink-soft">
          {found && (found.length === 1 ? '1 found' : `${found.length} found`)}
        </p>
      </div>
      {!found ? (
        <ViewLoading of={allOf(list, library)} what="the pages" />
      ) : found.length === 0 ? (
        <Empty scene="empty-no-consults" title="Nothing matches">
          Search by a word, or choose another kind.
        </Empty>
      ) : (
        <ContentRows rows={found.slice((page - 1) * PAGE, page * PAGE)} head={head} />
      )}
      {found && (
        <Pager
          label="Pages of the list"
          page={page}
          pages={pages}
          href={(n) => addressOf({ page: n > 1 ? String(n) : '' })}
        />
      )}
      {edited && <ResourceDialog key={edited.id} resource={edited} onClose={() => edit(undefined)} />}
    </>
  )
}
