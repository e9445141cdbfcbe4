import { cardOfToken, cardOfTyped, type KeptCard, type TypedCard } from './cards.ts'
import { fieldsIn, metadataIn, needed, textIn, type Fields } from './form.ts'
import { invalid, missing } from './refusal.ts'
import { putAndTell, the, type Customer, type PaymentMethod, type Shop } from './shop.ts'
import { find, newId, put, type Thing } from './store.ts'

interface Token extends Thing {
  object: 'token'
  used: boolean
  sandbox: { card: KeptCard }
}

export const createToken = (shop: Shop, typed: TypedCard): Promise<Token> =>
  put<Token>(shop.db, {
    id: newId('tok'),
    object: 'token',
    created: shop.at,
    used: false,
    sandbox: { card: cardOfTyped(typed, new Date(shop.at * 1000), shop.secret) },
  })

async function cardOf(shop: Shop, id: string): Promise<KeptCard> {
  const published = cardOfToken(id, new Date(shop.at * 1000), shop.secret)
  if (published) return published
  const token = await find<Token>(shop.db, 'token', id)
  if (!token) throw missing('token', id, 'card[token]')
  if (token.used)
    throw invalid(`You cannot use a Stripe token more than once: ${id}.`, { code: 'token_already_used' })
  await put(shop.db, { ...token, used: true })
  return token.sandbox.card
}

export async function createPaymentMethod(shop: Shop, fields: Fields): Promise<PaymentMethod> {
  const { behaviour, ...card } = await cardOf(shop, needed(fieldsIn(fields, 'card'), 'token'))
  return put<PaymentMethod>(shop.db, {
    id: newId('pm'),
    object: 'payment_method',
    created: shop.at,
    card,
    customer: null,
    sandbox: { behaviour, setUp: false, detached: false },
  })
}

export const methodNamed = (shop: Shop, fields: Fields): Promise<PaymentMethod> =>
  the<PaymentMethod>(shop, 'payment_method', needed(fields, 'payment_method'), 'payment_method')

export const attachTo = async (shop: Shop, fields: Fields, id: string): Promise<PaymentMethod> =>
  attach(shop, await the<PaymentMethod>(shop, 'payment_method', id), needed(fields, 'customer'))

export async function attach(shop: Shop, method: PaymentMethod, customer: string): Promise<PaymentMethod> {
  await the<Customer>(shop, 'customer', customer, 'customer')
  if (method.customer === customer) return method
  if (method.customer)
    throw invalid('The payment method you provided has already been attached to a customer.')
  if (method.sandbox.detached)
    throw invalid(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again.',
    )
  return putAndTell(shop, { ...method, customer }, 'payment_method.attached')
}

export async function detach(shop: Shop, id: string): Promise<PaymentMethod> {
  const method = await the<PaymentMethod>(shop, 'payment_method', id)
  if (!method.customer)
    throw invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    )
  const customer = await find<Customer>(shop.db, 'customer', method.customer)
  if (customer?.invoice_settings.default_payment_method === id)
    await put(shop.db, { ...customer, invoice_settings: { default_payment_method: null } })
  const gone = { ...method, customer: null, sandbox: { ...method.sandbox, detached: true } }
  return putAndTell(shop, gone, 'payment_method.detached')
}

async function settingsIn(shop: Shop, fields: Fields, before: string | null, customer: string) {
  const id = textIn(fieldsIn(fields, 'invoice_settings'), 'default_payment_method')
  if (id === undefined) return { default_payment_method: before }
  const method = await find<PaymentMethod>(shop.db, 'payment_method', id)
  if (!method || method.customer !== customer)
    throw invalid(
      `No such PaymentMethod: '${id}'; the customer does not have a payment method with that ID.`,
      { code: 'resource_missing', param: 'invoice_settings[default_payment_method]' },
    )
  return { default_payment_method: id }
}

export function createCustomer(shop: Shop, fields: Fields): Promise<Customer> {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    created: shop.at,
    email: textIn(fields, 'email') ?? null,
    name: textIn(fields, 'name') ?? null,
    metadata: metadataIn(fields),
    invoice_settings: { default_payment_method: null },
  }
  return putAndTell(shop, customer, 'customer.created')
}

export async function updateCustomer(shop: Shop, fields: Fields, id: string): Promise<Customer> {
  const before = await the<Customer>(shop, 'customer', id)
  const customer = {
    ...before,
    ...('email' in fields && { email: textIn(fields, 'email') ?? null }),
    ...('name' in fields && { name: textIn(fields, 'name') ?? null }),
    metadata: { ...before.metadata, ...metadataIn(fields) },
    invoice_settings: await settingsIn(shop, fields, before.invoice_settings.default_payment_method, id),
  }
  return putAndTell(shop, customer, 'customer.updated')
}

export const findCustomer = async (shop: Shop, id: string): Promise<Customer> => {
  const customer = await find<Customer>(shop.db, 'customer', id)
  if (!customer) throw missing('customer', id)
  return customer
}
