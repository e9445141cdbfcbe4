import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail, Failure } from '#contract/errors.ts'
import { planFileOf } from '../aftercare/reads.ts'
import { consultationOfPlan } from '../aftercare/rules.ts'
import { fileNamed } from '../chat/reads.ts'
import { claimOfInvoice, invoiceFile } from '../claims/reads.ts'
import { invoiceOf } from '../clinics/reads.ts'
import { invoicePdf, signedInvoice } from '../clinics/rules.ts'
import { mayRead } from '../consultations/reads.ts'
import { attachmentKey } from '../consultations/rules.ts'
import type { Actor, ActorOf, World } from '../context.ts'
import { ledgerEntry } from '../ledger/reads.ts'
import { libraryFile } from '../library/reads.ts'
import { receiptPdf, sellerIn, signedReceipt, soldBy } from '../ledger/rules.ts'
import { pdf, type PdfDocument } from '../documents/pdf.ts'
import { mayClinicSee } from '../portal/reads.ts'
import { inBetween } from '../concurrency/at-once.ts'
import { recordOnce } from '../identity/audit.ts'
import { isSigned, type Signed } from '../identity/signed-links.ts'
import { inPlace, viewersOf } from './serve.ts'
import { isKnown } from './answers.ts'

type Admin = ActorOf<readonly ['admin']>
type Named = { Params: { name: string } }
type SignedFor = Named & { Querystring: Signed }

const DAY = 86_400
const YEAR = 365 * DAY

/** A page of ours may show the file, but nothing in it runs. */
const NO_SCRIPT = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/** Anyone with a link may request its document again and again, so others' calls go first. A slow reader keeps nobody waiting. */
const inTurn = <T>(send: () => Promise<T>) => inBetween('documents', 2, send, 1000)

export function serveMedia(app: FastifyInstance, world: World): void {
  const { files, secrets, now } = world
  /** Photos of pets are public under unguessable names, and a name's content never changes. */
  app.get<Named>('/media/pets/:name', async ({ params }, reply) => {
    const file = (await files.get(`pets/${params.name}`)) ?? fail('NOT_FOUND')
    return sendWhole(reply.header('cache-control', `public, max-age=${YEAR}, immutable`), file)
  })
  app.get<Named>('/media/consultations/:name', (request, reply) =>
    asViewer(world, request, (viewers) => sendOfConsultation(world, viewers, request, reply)),
  )
  app.get<Named>('/media/claims/:name', (request, reply) =>
    asViewer(world, request, (viewers) => sendOfClaim(world, viewers, request.params.name, reply)),
  )
  app.get<SignedFor>('/media/receipts/:name', async ({ params: { name }, query }, reply) => {
    const id = Number(/^VC-(\d{1,9})\.pdf$/.exec(name)?.[1])
    if (!isSigned(secrets, now(), signedReceipt(id), query)) fail('NOT_FOUND')
    return inTurn(async () => {
      const entry = (await ledgerEntry(world, id)) ?? fail('NOT_FOUND')
      return sendPdf(reply, `attachment; filename="${name}"`, receiptPdf(entry, world.env))
    })
  })
  app.get<SignedFor>('/media/invoices/:name', async ({ params: { name }, query }, reply) => {
    const [, id, month] = /^(\d{1,9})-(\d{4}-\d\d)\.pdf$/.exec(name) ?? []
    if (!isSigned(secrets, now(), signedInvoice(Number(id), month ?? ''), query)) fail('NOT_FOUND')
    return inTurn(async () => {
      const invoice = (await invoiceOf(world, Number(id), month!)) ?? fail('NOT_FOUND')
      const content = invoicePdf(invoice, {
        seller: sellerIn(invoice.region, soldBy(invoice.region, world.env)),
        now: now(),
      })
      return sendPdf(reply, disposition(name, `${invoice.clinic}, ${month}.pdf`), content)
    })
  })
  app.get<Named>('/media/library/:name', async ({ params: { name } }, reply) => {
    const file = (await libraryFile(world, name)) ?? fail('NOT_FOUND')
    reply
      .header('cache-control', 'public, max-age=3600')
      .header(
        'content-security-policy',
        `${NO_SCRIPT}; media-src 'self'; font-src data:; frame-ancestors 'self'`,
      )
      .header('content-disposition', name.endsWith('.pdf') ? 'attachment' : 'inline')
    return sendWhole(reply, file)
  })
  app.all('/media/*', () => fail('NOT_FOUND'))
}

/** Does the work for everyone who is signed in in this browser, counted for the first. */
async function asViewer(world: World, request: FastifyRequest, work: (viewers: Actor[]) => Promise<unknown>) {
  const viewers = await viewersOf(world, request)
  const [viewer = fail('UNAUTHORIZED')] = viewers
  return inPlace(viewer, () => work(viewers))
}

const sendWhole = (
  reply: FastifyReply,
  { size, type, stream }: { size: number; type: string; stream: unknown },
) => reply.header('content-length', size).type(type).send(stream)

async function sendOfConsultation(
  world: World,
  viewers: Actor[],
  request: FastifyRequest<Named>,
  reply: FastifyReply,
) {
  const { name } = request.params
  const plan = consultationOfPlan(name)
  const sent = plan === null ? await fileNamed(world, name) : undefined
  await admitViewer(world, viewers, plan ?? sent?.consultation, name)
  reply
    .header('cross-origin-resource-policy', 'same-origin')
    .header('content-security-policy', `${NO_SCRIPT}; media-src 'self'`)
    .header('content-disposition', disposition(name, sent?.filename ?? 'VetChat plan.pdf'))
  return sent ? sendFile(world, request, reply, sent) : sendPlan(world, reply, plan!)
}

async function sendOfClaim(world: World, viewers: Actor[], name: string, reply: FastifyReply) {
  const admin = viewers.find((one): one is Admin => one.kind === 'admin') ?? fail('NOT_FOUND')
  const claim = (await claimOfInvoice(world, name)) ?? fail('NOT_FOUND')
  const { id } = claim
  const about = ['user', claim.owner.id] as const
  await recordOnce(world, admin.userId, 'opened the invoice of a claim', about, `Claim ${id}`)
  // A file that is open must be sent or closed, so it comes last.
  const file = (await invoiceFile(world, claim)) ?? fail('NOT_FOUND')
  const filename = `claim-${id}.${file.type === 'application/pdf' ? 'pdf' : 'jpg'}`
  reply
    .header('cache-control', 'private, no-store')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('content-security-policy', NO_SCRIPT)
    .header('content-disposition', disposition(filename, filename))
  return sendWhole(reply, file)
}

const sendPdf = async (reply: FastifyReply, disposition: string, content: PdfDocument) =>
  reply
    .header('cache-control', 'private, no-store')
    .header('content-security-policy', NO_SCRIPT)
    .header('content-disposition', disposition)
    .type('application/pdf')
    .send(await pdf(content))

/** A file opens for those who may read its consultation right now, and for a clinic if the owner shared it. */
async function admitViewer(world: World, viewers: Actor[], consultation: number | undefined, name: string) {
  if (consultation === undefined) fail('NOT_FOUND')
  for (const actor of viewers) {
    if (actor.kind === 'clinic') {
      if (await mayClinicSee(world, actor.clinicId, name)) return
      continue
    }
    try {
      return void (await mayRead({ ...world, actor }, consultation))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }
  fail('NOT_FOUND')
}

/** PDFs are downloaded, under the name that their sender gave them; others are shown. */
function disposition(name: string, filename: string) {
  const isPdf = name.endsWith('.pdf')
  const says = isPdf ? 'attachment' : 'inline'
  const whole = isPdf && !/\.pdf$/i.test(filename) ? `${filename}.pdf` : filename
  const plain = whole.normalize('NFKD').replace(/[^\w .()-]/g, '_')
  const encoded = encodeURIComponent(whole).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `${says}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** A name's content never changes, so the browser keeps it for the session whose cookie fetched it. */
async function sendFile(
  { files }: World,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, bytes }: { name: string; bytes: number },
) {
  const { headers } = request
  const etag = `"${name}"`
  reply
    .header('cache-control', `private, max-age=${DAY}, immutable`)
    .header('vary', 'Cookie')
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const range = isSame ? rangeOf(headers.range, bytes) : undefined
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  const file = (await files.get(attachmentKey(name), range)) ?? fail('NOT_FOUND')
  if (!range) return sendWhole(reply, file)
  const { start, end } = range
  reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
  return sendWhole(reply, { ...file, size: end - start + 1 })
}

/** Players ask for parts of a film. If they ask for several in one request, we send the whole file, as the standard allows. */
function rangeOf(header: string | undefined, bytes: number) {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  return start > end ? 'none' : { start, end }
}

/** Makes the plan for each request, so that nothing has to be stored or erased. */
async function sendPlan(world: World, reply: FastifyReply, consultation: number) {
  const plan = (await planFileOf(world, consultation)) ?? fail('NOT_FOUND')
  return reply.header('cache-control', 'private, no-store').type('application/pdf').send(plan)
}
