import type { Parsed } from '#contract/call.ts'
import { fail, words } from '#contract/errors.ts'
import type * as calls from '#contract/signup.ts'
import { addAccount, welcome } from '../accounts/writes.ts'
import { recordConsent } from '../consent.ts'
import { transaction, type Ctx } from '../context.ts'
import { asFields, hasAccount, needsBreed, sexOf } from '../joining/rules.ts'
import { checkPet, insertPet } from '../pets/writes.ts'
import { askForPolicy, findPolicy, holderOf } from '../policies/writes.ts'
import { hashPassword } from '../session.ts'

/** Nobody's yet: what is checked of a pet before its owner is there. */
const NOBODY = 0

/**
 * An account for the holder of a partner's policy. It stands from here on; the policy is bound once the link in the
 * welcome mail shows that the holder's address is theirs, or the code that went to that address.
 */
export async function signUpWithPolicy(ctx: Ctx<'anyone'>, sent: Parsed<typeof calls.signUpWithPolicy>) {
  if (sent.agreed === false) fail('PURCHASE_TERMS_NOT_AGREED')
  const policy = await findPolicy(ctx, sent.policy)
  if (policy.speciesId !== sent.pet_type)
    fail('POLICY_INVALID', { fields: { pet_type: words('POLICY_INVALID') } })
  needsBreed(sent.pet_type, sent.pet_breed, 'pet_breed')
  const pet = await checkPet(ctx, NOBODY, {
    name: sent.pet_name,
    species_id: sent.pet_type,
    breed_id: sent.pet_breed ?? null,
    sex: sexOf(sent.pet_gender, 'pet_gender'),
    dob: sent.pet_dob ?? null,
    desexed: null,
    microchip: '',
  }).catch((error: unknown) => asFields(error, 'pet_'))
  const passwordHash = await hashPassword(sent.password)
  const { email, fname: firstName, sname: lastName, mobile } = sent
  await transaction(ctx, async (ctx) => {
    const person = { email, firstName, lastName, mobile, region: ctx.region }
    const userId = (await addAccount(ctx, { ...person, passwordHash })) ?? hasAccount()
    await welcome(ctx, userId, person)
    const petId = await insertPet(ctx, userId, pet, policy.id)
    // The welcome mail's link does for the holder's own address what the code does for another.
    if (holderOf(policy) !== email) await askForPolicy(ctx, { userId, petId, policy })
    await recordConsent(ctx, userId, 'signUpWithPolicy', sent)
  })
  return {}
}
