import type { FastifyInstance } from 'fastify'
import { fail } from '#contract/errors.ts'
import { planFileOf } from '../aftercare/reads.ts'
import { consultationOfPlan } from '../aftercare/rules.ts'
import { signedName } from '../chat/rules.ts'
import { attachmentKey } from '../consultations/rules.ts'
import type { World } from '../context.ts'
import { ledgerEntry } from '../ledger/reads.ts'
import { libraryFile } from '../library/reads.ts'
import { receiptPdf, signedReceipt } from '../ledger/rules.ts'
import { pdf } from '../documents/pdf.ts'
import { isSigned, SIGNED_DAYS, type Signed } from '../identity/signed-links.ts'

const YEAR = 365 * 86_400

/** Photos of pets are public under unguessable names, and a name's content never changes. */
export function serveMedia(app: FastifyInstance, world: World): void {
  const { files, secret, now } = world
  app.get<{ Params: { name: string } }>('/media/pets/:name', async ({ params }, reply) => {
    const file = (await files.get(`pets/${params.name}`)) ?? fail('NOT_FOUND')
    return reply
      .header('cache-control', `public, max-age=${YEAR}, immutable`)
      .header('content-length', file.size)
      .type(file.type)
      .send(file.stream)
  })
  app.get<{ Params: { name: string }; Querystring: Signed }>(
    '/media/consultations/:name',
    async ({ params: { name }, query }, reply) => {
      if (!isSigned(secret, now(), signedName(name), query)) fail('NOT_FOUND')
      const plan = consultationOfPlan(name)
      const file = await (plan === null ? files.get(attachmentKey(name)) : planFile(world, plan))
      if (!file) return fail('NOT_FOUND')
      return reply
        .header('cache-control', `private, max-age=${SIGNED_DAYS * 86_400}`)
        .header(
          'content-security-policy',
          "sandbox; default-src 'none'; media-src 'self'; style-src 'unsafe-inline'",
        )
        .header('content-disposition', name.endsWith('.pdf') ? 'attachment' : 'inline')
        .header('content-length', file.size)
        .type(file.type)
        .send(file.stream)
    },
  )
  app.get<{ Params: { name: string }; Querystring: Signed }>(
    '/media/receipts/:name',
    async ({ params: { name }, query }, reply) => {
      const id = Number(/^VC-(\d{1,9})\.pdf$/.exec(name)?.[1])
      if (!isSigned(secret, now(), signedReceipt(id), query)) fail('NOT_FOUND')
      const entry = (await ledgerEntry(world, id)) ?? fail('NOT_FOUND')
      return reply
        .header('cache-control', 'private, no-store')
        .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
        .header('content-disposition', `attachment; filename="${name}"`)
        .type('application/pdf')
        .send(await pdf(receiptPdf(entry, world.env.legalEntities)))
    },
  )
  app.get<{ Params: { name: string } }>('/media/library/:name', async ({ params: { name } }, reply) => {
    const file = (await libraryFile(world, name)) ?? fail('NOT_FOUND')
    return reply
      .header('cache-control', 'public, max-age=3600')
      .header(
        'content-security-policy',
        "sandbox; default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; font-src data:; frame-ancestors 'self'",
      )
      .header('content-disposition', name.endsWith('.pdf') ? 'attachment' : 'inline')
      .header('content-length', file.size)
      .type(file.type)
      .send(file.stream)
  })
  app.all('/media/*', () => fail('NOT_FOUND'))
}

/** Made for each request, so nothing of it has to be stored or erased. */
async function planFile(world: World, consultation: number) {
  const plan = await planFileOf(world, consultation)
  return plan && { type: 'application/pdf', size: plan.length, stream: plan }
}
