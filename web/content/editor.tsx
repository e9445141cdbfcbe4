import { useQuery } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState } from 'react'
import { NAMELESS_ADMIN } from '#contract/accounts.ts'
import { areSame, type Content, type ContentKind, isClinical, type Words } from '#contract/content.ts'
import { sentenceOf } from '#contract/errors.ts'
import { CallButton } from '../lib/call-button.tsx'
import { time } from '../lib/dates.ts'
import { useAlert } from '../ui/alert-bar.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { TextField } from '../ui/text-field.tsx'
import { BackLink, ViewLoading } from '../ui/view-frame.tsx'
import { FIELDS, markSaid, reviewSaid, whenSaid } from './content-words.ts'
import { type Saved, useDraft } from './draft-state.ts'
import { ContentFields } from './fields.tsx'
import { DiscardDialog, downOf, TakeDownDialog } from './off-dialogs.tsx'
import { Preview } from './preview.tsx'
import { oneContent, useReview } from './queries.ts'
import { useDraftConflict } from './draft-conflict.ts'
import { BothVersions } from './side-by-side.tsx'
import { Versions } from './versions.tsx'

/** One item, edited on the left and previewed on the right. The public pages don't change before it's published. */
export function Editor({ kind, item }: { kind: ContentKind; item: string }) {
  const one = useQuery(oneContent(kind, item))
  return (
    <>
      <BackLink href="/admin/pages">Pages</BackLink>
      {one.data ? (
        <Loaded key={`${kind} ${item}`} content={one.data} />
      ) : (
        <ViewLoading of={one} what="this page" />
      )}
    </>
  )
}

const emptyOf = (kind: ContentKind) => Object.fromEntries(FIELDS[kind].map(({ name }) => [name, '']))

const draftReviewed = ({ draft }: Content, words: Words) =>
  draft && areSame(draft.words, words) ? draft.reviewed : null

function Loaded({ content }: { content: Content }) {
  const { kind, title, live, version } = content
  const { show } = useAlert()
  const draft = useDraft(content, emptyOf(kind))
  const [what, setWhat] = useState('')
  const [refused, setRefused] = useState('')
  const [asks, ask] = useState<'take down' | 'discard'>()
  const [refusals, countRefusal] = useReducer((count: number) => count + 1, 0)
  const heading = useRef<HTMLHeadingElement>(null)
  const fields = useRef<HTMLDivElement>(null)
  const isNew = version === 0 && !live
  const down = downOf(kind)
  // The menu that added it has closed.
  useEffect(() => {
    if (isNew) fields.current?.querySelector<HTMLElement>('input, textarea')?.focus()
  }, [isNew])
  // A wrong field may be out of view.
  useEffect(() => {
    if (refusals > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [refusals])

  const { words, elsewhere: other } = draft
  const toHeading = () => heading.current?.focus()
  const settling = useDraftConflict(content, draft, toHeading)
  const { newer, sides } = settling
  const name = newer?.mark.by === NAMELESS_ADMIN ? undefined : newer?.mark.by?.split(' ')[0]
  const who = newer?.mark.is_mine ? 'You' : (newer?.mark.by ?? 'Another admin')
  const by = newer?.mark.is_mine ? 'you' : (name ?? 'another admin')
  const whose = name && !newer?.mark.is_mine ? `${name}’s` : 'the published one'
  const isChanged = !live || !areSame(words, live)
  const needsVet = isClinical(kind, words)
  const reviewed = isChanged ? draftReviewed(content, words) : content.live_reviewed
  const off = whyOff()

  function whyOff() {
    if (newer || other) return 'First choose which text to keep'
    if (!isChanged) return 'Nothing has changed'
    return needsVet && !reviewed ? 'A vet has to review this text first' : undefined
  }

  async function publish() {
    const said = await draft.publish(what.trim())
    setRefused(said === true ? '' : said)
    if (said === '') countRefusal()
    if (said !== true) return
    setWhat('')
    show(kind === 'reply' ? 'Vets have it now.' : 'It’s on the public pages.')
  }

  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <h1 ref={heading} tabIndex={-1} className="t28">
          {title}
        </h1>
        {live ? <Badge tone="green">Live</Badge> : <Badge>{version > 0 ? 'Off' : 'Draft'}</Badge>}
        {live && isChanged && <Badge tone="amber">Changes not published</Badge>}
      </div>
      <div role="status">
        {newer && (
          <Note
            tone="wait"
            icon="users"
            title={`${who} ${newer.words ? 'published this' : down.did}${newer.mark.at ? ` at ${time(newer.mark.at)}` : ''}, after you opened it.${isChanged ? ' Nothing of yours is lost.' : ''}`}
          >
            <div className="mt-2 flex flex-wrap gap-2">
              {newer.words && isChanged && (
                <Button size={36} onClick={settling.see}>
                  See both
                </Button>
              )}
              <Button size={36} onClick={() => settling.keep(words)}>
                Keep mine
              </Button>
              {newer.words && (
                <Button size={36} onClick={() => settling.keep(newer.words!)}>
                  Take {whose}
                </Button>
              )}
            </div>
          </Note>
        )}
        {!newer && other && (
          <Note
            tone="wait"
            icon="copy"
            title={`You changed this draft in another tab at ${time(other.saved_at)}. What you wrote here isn’t saved yet.`}
          >
            <div className="mt-2 flex flex-wrap gap-2">
              <Button
                size={36}
                onClick={() => {
                  draft.keep(other)
                  toHeading()
                }}
              >
                Keep what’s here
              </Button>
              <Button
                size={36}
                onClick={() => {
                  draft.take(other)
                  toHeading()
                }}
              >
                Use the other version
              </Button>
            </div>
          </Note>
        )}
        {!newer && content.others.length > 0 && (
          <p className="text-14 text-ink-soft">
            {content.others.join(', ')} {content.others.length === 1 ? 'has' : 'have'} a draft of this too.
          </p>
        )}
      </div>
      {sides && <BothVersions kind={kind} by={by} whose={whose} all={sides} onChoose={settling.choose} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 min-[77.5rem]:grid-cols-2">
        <Section title="Write" aside={<SavedSaid saved={other ? { is: 'nothing' } : draft.saved} />}>
          <div ref={fields} className="stack gap-5 p-5">
            <ContentFields kind={kind} words={words} errors={draft.fields} onWrite={draft.write} />
            {needsVet && (
              <ReviewState
                content={content}
                reviewed={reviewed}
                isChanged={isChanged}
                isSaved={draft.saved.is === 'saved'}
                onReviewed={() => heading.current?.focus({ preventScroll: true })}
              />
            )}
          </div>
        </Section>
        {content.preview && (
          <Preview
            address={content.preview}
            version={draft.saved.is === 'saved' ? draft.saved.at : `version ${version}`}
          />
        )}
      </div>
      <Versions
        content={content}
        onUse={(again) => {
          draft.write(again)
          toHeading()
          show('It’s in your draft now. Nothing public has changed.', 'info')
        }}
      />
      <div
        data-foot
        className="-mx-5 flex flex-wrap items-end gap-3 border-t border-line bg-paper px-5 py-3 max-sm:-mx-4 max-sm:px-4 sm:sticky sm:bottom-0 sm:z-10"
      >
        <div className="w-full max-w-72">
          <TextField
            label="What changed"
            optional
            maxLength={120}
            autoComplete="off"
            value={what}
            onChange={({ target }) => setWhat(target.value)}
          />
        </div>
        <Button
          variant="primary"
          busy={draft.publishing}
          busyLabel="Publishing…"
          aria-disabled={off ? true : undefined}
          aria-describedby="why-off"
          onClick={() => !off && void publish()}
        >
          Publish version {version + 1}
        </Button>
        {content.draft && <Button onClick={() => ask('discard')}>Discard draft</Button>}
        {live && (
          <Button variant="text" onClick={() => ask('take down')}>
            {down.does}
          </Button>
        )}
        <p id="why-off" role="status" className="flex min-h-12 items-center gap-2 text-amber-soft-ink">
          {(off ?? refused) && (
            <>
              <Icon name="info" size={16} />
              {off ?? refused}
            </>
          )}
        </p>
      </div>
      {asks === 'discard' && (
        <DiscardDialog content={content} isNew={isNew} onDone={draft.reset} onClose={() => ask(undefined)} />
      )}
      {asks === 'take down' && (
        <TakeDownDialog
          content={content}
          // The words stay in the draft, based on the version that took them down.
          onDone={(after) => draft.settle(words, after)}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  )
}

/** It's read out only while the draft can't be saved: it changes at each pause in the typing. */
const SavedSaid = ({ saved }: { saved: Saved }) => (
  <span className="flex items-center gap-2 text-14 text-ink-soft tabular-nums">
    {saved.is === 'saving' && 'Saving…'}
    <span role="status" className="text-amber-soft-ink">
      {saved.is === 'unsaved' && 'Not saved yet. We’ll try again.'}
      {saved.is === 'gone' && sentenceOf('CONTENT_REMOVED')}
      {saved.is === 'elsewhere' && sentenceOf('CONTENT_DRAFT_ELSEWHERE')}
    </span>
    {saved.is === 'saved' && (
      <>
        <Icon name="check" size={16} className="text-green" />
        Draft saved {whenSaid(saved.at)}
      </>
    )}
  </span>
)

/** Clinical text goes live only after a vet has reviewed this version. */
function ReviewState({
  content,
  reviewed,
  isChanged,
  isSaved,
  onReviewed,
}: {
  content: Content
  reviewed: { by: string; at: string } | null
  isChanged: boolean
  isSaved: boolean
  /** For moving the focus, because the button has disappeared. */
  onReviewed: () => void
}) {
  const { kind, item, version, versions, may_review, draft } = content
  const review = useReview()
  const author = versions[0]?.mark
  if (reviewed)
    return (
      <p className="flex items-start gap-2">
        <Icon name="check" className="text-green" />
        Reviewed by {reviewSaid(reviewed)}
      </p>
    )
  const mine = draft && { draft_of: draft.author, saved_at: draft.saved_at }
  return (
    <div className="stack justify-items-start gap-2 rounded-small bg-paper-sunk p-4">
      <p className="font-semi text-amber-soft-ink">Waiting for a vet</p>
      <p className="text-14 text-ink-soft">
        {isChanged
          ? 'Clinical text goes live only after a vet has reviewed this version. Vets find it under Reviews on My Account.'
          : `No vet has reviewed the latest version${author ? `, by ${markSaid(author)}` : ''}. Outside the demo the pages leave it out.`}
      </p>
      {may_review && (!isChanged || isSaved) && (
        <CallButton
          size={36}
          call={review}
          input={{ kind, item, ...(isChanged && mine ? mine : { version }) }}
          onDone={onReviewed}
        >
          I’ve reviewed this as a vet
        </CallButton>
      )}
    </div>
  )
}
