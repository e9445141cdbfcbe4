import * as z from 'zod'
import type { Call } from '#contract/call.ts'
import type { Served } from './serve.ts'

type Schema = Record<string, unknown>

const asSchema = (schema: Call['input'], io: 'input' | 'output'): Schema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as Schema
  return rest
}

const WireErrorSchema = {
  type: 'object',
  required: ['errors', 'code'],
  properties: {
    errors: { type: 'array', items: { type: 'string' } },
    code: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    sentence: { type: 'string' },
    values: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
    ref: { type: 'string' },
  },
}

/** The OpenAPI 3.1 document, made from the definitions that the calls are served from. */
export function openApi(served: Served<Call>[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name, definition, version } of served) {
    const names = [...definition.path.matchAll(/:(\w+)/g)].map(([, param]) => param!)
    const input = asSchema(definition.input, 'input')
    const properties = (input['properties'] ?? {}) as Record<string, Schema>
    const required = new Set((input['required'] as string[] | undefined) ?? [])
    const rest = Object.keys(properties).filter((key) => !names.includes(key))
    const inBody = definition.method === 'POST' || definition.method === 'PUT'
    const body = {
      type: 'object',
      properties: Object.fromEntries(rest.map((key) => [key, properties[key]])),
      required: rest.filter((key) => required.has(key)),
    }
    const parameter = (key: string, place: 'path' | 'query') => ({
      name: key,
      in: place,
      required: place === 'path' || required.has(key),
      schema: properties[key] ?? {},
    })
    const failed = {
      description: 'Refused',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    }
    // Calls are answered with and without a slash at the end.
    const address = definition.path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')
    paths[address] ??= {}
    paths[address][definition.method.toLowerCase()] = {
      operationId: name,
      summary: definition.summary,
      tags: [definition.access === 'anyone' ? 'anyone' : definition.access.join(', ')],
      security: definition.access === 'anyone' ? [] : [{ bearer: [] }],
      parameters: [
        ...names.map((key) => parameter(key, 'path')),
        ...(inBody ? [] : rest.map((key) => parameter(key, 'query'))),
        ...(definition.idempotent
          ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }]
          : []),
      ],
      ...(inBody && {
        requestBody: {
          content: { [definition.upload ? 'multipart/form-data' : 'application/json']: { schema: body } },
        },
      }),
      responses: {
        200: {
          description: 'Done',
          content: { 'application/json': { schema: asSchema(definition.output, 'output') } },
        },
        ...(definition.access !== 'anyone' && {
          401: {
            description: 'No usable token',
            content: { 'text/plain': { schema: { const: 'Unauthorized' } } },
          },
          403: failed,
        }),
        ...(version && {
          304: { description: 'The answer whose ETag was sent as If-None-Match still holds' },
        }),
        ...(definition.limit && { 429: failed }),
        '4XX': failed,
        default: failed,
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'VetChat',
      version: '1',
      license: { name: 'All rights reserved', identifier: 'LicenseRef-all-rights-reserved' },
      description: 'Every call of VetChat. Times are ISO 8601 UTC, money is in minor units.',
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: WireErrorSchema },
    },
  }
}
