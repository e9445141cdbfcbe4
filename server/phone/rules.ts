import { REGIONS, type Region } from '#contract/regions.ts'
import { LEVEL_NAMES } from '#contract/urgency.ts'
import { csvRow } from '#contract/csv.ts'
import { phoneToRead } from '../identity/phone-number.ts'
import type { ExportRow } from './reads.ts'

const minutes = Object.fromEntries(
  Object.entries(REGIONS).map(([region, { timeZone }]) => [
    region,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
) as Record<Region, Intl.DateTimeFormat>

/** "2026-11-21 02:16", in the region's time zone. Spreadsheets recognise it as a time. */
const minuteIn = (at: Date | null, region: Region) => (at ? minutes[region].format(at) : '')

export const EXPORT_HEAD = csvRow([
  'Number',
  'Start',
  'Clinic',
  'Caller',
  'Caller’s number',
  'Pet',
  'Species',
  'Problem',
  'Urgency',
  'Outcome',
  'Vet',
  'Clinic notified',
  'Clinic accepted',
])

export const exportLine = ({ caller, region, ...row }: ExportRow) =>
  csvRow([
    row.id,
    minuteIn(row.start, region),
    row.clinic,
    caller?.name ?? '',
    phoneToRead(caller?.phone ?? '', region),
    caller?.pet ?? '',
    row.species ?? '',
    row.petIssue,
    row.urgency ? LEVEL_NAMES[row.urgency] : '',
    row.outcome,
    row.vet ?? '',
    minuteIn(row.notifiedAt, region),
    minuteIn(row.acceptedAt, region),
  ])
