import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listOpenClinics, type OpenClinics } from '#contract/content.ts'
import { DAY, MINUTE } from '#contract/time.ts'
import { dayAndTime, time } from '../lib/dates.ts'
import { telOf } from '../lib/tel.ts'
import { query } from '../lib/queries.ts'
import { choices, choose, now } from '../lib/session.ts'
import { ExampleBadge, plainName } from '../library/example.tsx'
import { useBrowserValue } from '../ui/browser-value.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { say } from '../ui/say.ts'

type Clinic = OpenClinics['clinics'][number]

/** Opens the map app on a phone. */
export const mapOf = (looksFor: string) =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(looksFor)}`
const NEAREST = mapOf('emergency vet open now')

/** The emergency clinics of the area that was chosen now or last on this device. An empty area asks for it again. */
export function useOpenClinics(chosen: string | undefined, given?: OpenClinics | null) {
  const before = useBrowserValue(
    () => choices().area,
    () => undefined,
  )
  useEffect(() => {
    if (chosen) choose({ area: chosen })
  }, [chosen])
  const area = chosen ?? before ?? ''
  const asked = useQuery({
    ...query(listOpenClinics, { area }),
    staleTime: MINUTE,
    placeholderData: keepPreviousData,
    ...(given?.area === area && { initialData: given }),
  })
  return {
    area,
    areas: asked.data?.areas ?? [],
    /** The open ones, once we know. */
    clinics: asked.data?.area === area ? asked.data.clinics : undefined,
    failed: asked.isError,
    retry: () => void asked.refetch(),
  }
}
export type Found = ReturnType<typeof useOpenClinics>

/** By the clinic's own clock. */
function OpenSaid({ until, time_zone: timeZone }: Clinic) {
  if (until === null) return say('Open day and night')
  const isSoon = Date.parse(until) - now() < DAY
  const end = isSoon ? time(until, timeZone) : dayAndTime(until, undefined, timeZone)
  return say('Open until {time}', { time: end })
}

function foundSaid(clinics: Clinic[] | undefined) {
  if (!clinics) return say('Looking…')
  if (clinics.length > 0) return say('We can’t tell how far each one is from you.')
  return say('None of the clinics on our list is open. Search the map instead.')
}

/** Where to go now. Its buttons choose the area, and belong to the surrounding form. */
export function ClinicList({
  found: { area, areas, clinics, failed, retry },
  stacked,
}: {
  found: Found
  /** In a dialog: under a third-level heading. */
  stacked?: boolean
}) {
  const Heading = stacked ? 'h3' : 'h2'
  const heading = useRef<HTMLHeadingElement>(null)
  const pressed = useRef(false)
  // The pressed button has disappeared.
  useEffect(() => {
    if (pressed.current) heading.current?.focus()
    pressed.current = false
  }, [area])
  const press = () => {
    pressed.current = true
  }
  if (failed)
    return (
      <div className="stack justify-items-start gap-2 rounded-card border border-line bg-card p-5">
        <p role="alert">{say('We couldn’t load the clinics that are open. Search the map, or try again.')}</p>
        <Button size={44} onClick={retry}>
          {say('Try again')}
        </Button>
      </div>
    )
  if (areas.length === 0) return null
  const isChosen = areas.includes(area)
  return (
    <section
      aria-labelledby="open-clinics"
      className="divide-y divide-line overflow-clip rounded-card border border-line bg-card"
    >
      <div className="stack gap-2 p-5">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <Heading ref={heading} id="open-clinics" tabIndex={-1} className={stacked ? 't18' : 't22'}>
            {isChosen ? say('Open now in {area}', { area }) : say('Clinics that are open now')}
          </Heading>
          {isChosen && (
            <button
              type="submit"
              name="area"
              value=""
              onClick={press}
              className="-my-2 min-h-11 font-semi text-green underline underline-offset-4"
            >
              {say('Change area')}
            </button>
          )}
        </div>
        <p role="status" className="text-14 text-ink-soft">
          {isChosen ? foundSaid(clinics) : say('Where are you?')}
        </p>
        {!isChosen && (
          <div className="flex flex-wrap gap-2">
            {areas.map((one) => (
              <Button
                key={one}
                type="submit"
                name="area"
                value={one}
                variant="soft"
                size={44}
                onClick={press}
              >
                {one}
              </Button>
            ))}
          </div>
        )}
      </div>
      {isChosen && clinics && clinics.length > 0 && (
        <>
          <ul className="divide-y divide-line">
            {clinics.map((clinic) => (
              <li key={`${clinic.name} ${clinic.phone}`} className="stack gap-3 p-5">
                <div>
                  <p className="flex flex-wrap items-center gap-2 font-semi">
                    {plainName(clinic.name)} <ExampleBadge of={clinic.name} />
                  </p>
                  <p className="text-14 text-ink-soft">
                    {clinic.place}. <OpenSaid {...clinic} />
                  </p>
                </div>
                <div className="flex flex-wrap gap-2">
                  <LinkButton
                    variant="soft"
                    size={44}
                    icon="phone"
                    href={telOf(clinic.phone)}
                    aria-label={say('Phone {clinic}, {phone}', {
                      clinic: plainName(clinic.name),
                      phone: clinic.phone,
                    })}
                  >
                    <span className="tabular-nums">{clinic.phone}</span>
                  </LinkButton>
                  <LinkButton
                    variant="text"
                    size={44}
                    href={mapOf(`${plainName(clinic.name)}, ${clinic.place}, ${area}`)}
                    target="_blank"
                    rel="noopener"
                    aria-label={say('Directions to {clinic}', { clinic: plainName(clinic.name) })}
                  >
                    {say('Directions')}
                  </LinkButton>
                </div>
              </li>
            ))}
          </ul>
          <div className="p-5">
            <LinkButton icon="search" wide href={NEAREST} target="_blank" rel="noopener" className="px-3!">
              {say('Search the map for an open vet')}
            </LinkButton>
          </div>
        </>
      )}
    </section>
  )
}

/** The one thing to press: the first open clinic, or else the map. */
export function GoThere({ first }: { first: Clinic | undefined }) {
  if (!first)
    return (
      <div className="stack gap-2">
        <LinkButton
          variant="urgent"
          size={56}
          wide
          href={NEAREST}
          target="_blank"
          rel="noopener"
          className="px-3!"
        >
          {say('Search the map for an open vet')}
        </LinkButton>
        <p className="text-14">{say('Opens your map app. Phone before you leave, so that they’re ready.')}</p>
      </div>
    )
  return (
    <div className="stack gap-2">
      <LinkButton variant="urgent" size={56} icon="phone" wide href={telOf(first.phone)} className="px-3!">
        {say('Phone {clinic}', { clinic: plainName(first.name) })}
      </LinkButton>
      <p className="text-14">
        {say('{phone}, in {place}.', { phone: first.phone, place: first.place })} <OpenSaid {...first} />.{' '}
        {say('Say what you see and that you’re on your way.')} <ExampleBadge of={first.name} />
      </p>
    </div>
  )
}
