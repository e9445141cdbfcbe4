import { useInfiniteQuery } from '@tanstack/react-query'
import type { ContactMessage } from '#contract/logs.ts'
import { dayAndTime } from '../lib/dates.ts'
import { LinkButton } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { ViewHead } from '../ui/view-frame.tsx'
import { WorkCell, WorkList, WorkRow } from '../ui/work-table.tsx'
import { messages } from './queries.ts'

/** What people wrote on the contact page. They are answered by email. */
export default function MessageLog() {
  const list = useInfiniteQuery(messages)
  return (
    <>
      <ViewHead title="Messages" />
      <WorkList
        list={list}
        rowsOf={(page) => page.messages}
        what="the messages"
        empty={
          <Empty scene="empty-no-consults" title="Nobody has written yet">
            What people write on the contact page will appear here.
          </Empty>
        }
        caption="Messages from the contact page, newest first"
        columns={[
          { says: 'When', className: 'w-44' },
          { says: 'Who', className: 'w-72' },
          { says: 'Message' },
          { says: 'Actions', className: 'w-28', unseen: true },
        ]}
      >
        {(message) => <Row key={message.id} message={message} />}
      </WorkList>
    </>
  )
}

const Row = ({ message: { at, about, name, email, mobile, company, text } }: { message: ContactMessage }) => (
  <WorkRow>
    <WorkCell className="align-top text-14 tabular-nums cards:order-2 cards:col-span-3 cards:text-ink-soft">
      {dayAndTime(at)}
    </WorkCell>
    <WorkCell className="align-top cards:order-1 cards:col-span-3">
      <span className="grid leading-snug">
        <span className="font-semi">{name}</span>
        {[company, email, mobile].filter(Boolean).map((said) => (
          <span key={said} className="text-14 text-ink-soft">
            {said}
          </span>
        ))}
      </span>
    </WorkCell>
    <WorkCell className="align-top cards:order-3 cards:col-span-3">
      <p className="font-semi">{about}</p>
      <p className="whitespace-pre-line">{text}</p>
    </WorkCell>
    <WorkCell className="align-top cards:order-4 cards:col-span-3">
      <LinkButton
        size={36}
        href={`mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: ${about}`)}`}
        aria-label={`Answer ${name} by email`}
      >
        Answer
      </LinkButton>
    </WorkCell>
  </WorkRow>
)
