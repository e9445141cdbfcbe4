import { useState } from 'react'
import type { Output } from '#contract/call.ts'
import { sentenceOf } from '#contract/errors.ts'
import type { lookUpPolicy } from '#contract/policies.ts'
import { OTHER } from '../pets/first-pet.ts'
import { FirstPetPart } from '../pets/first-pet-part.tsx'
import { PolicySpecies } from '../pets/policy-species.tsx'
import { TermsBox } from '../lib/terms-box.tsx'
import { ApiError } from '../lib/api.ts'
import { refusalOf } from '../lib/for-form.ts'
import { loginPath } from '../lib/login-path.ts'
import { missingNext } from '../purchases/missing-next.ts'
import { OrderButton } from '../purchases/order-button.tsx'
import { hasBreed } from '../pets/pet-rules.ts'
import { leaveDraft } from '../ui/form-draft.ts'
import { Form, FormSection, type Refusal, useForm } from '../ui/form.tsx'
import { say } from '../ui/say.ts'
import { TextField } from '../ui/text-field.tsx'
import { AccountFields } from './joining-form.tsx'
import { asTyped, joiningRules, type JoiningTyped, NOTHING_TYPED, signUpInput } from './joining-rules.ts'
import { Done, Refusals, THEN_LOGIN_SECONDS } from './notices.tsx'
import { useSignUp } from './queries.ts'

/** The form starts with the policy's details. */
export function SignUp({
  policy: { policy, pet_name, pet_type },
  onDone,
}: {
  policy: Output<typeof lookUpPolicy>['policy']
  onDone: () => void
}) {
  const signUp = useSignUp()
  const species = String(pet_type)
  const form = useForm({
    rules: joiningRules,
    defaults: {
      ...NOTHING_TYPED,
      name: pet_name,
      ageBy: 'date',
      species: hasBreed(species) ? species : OTHER,
      other: hasBreed(species) ? '' : species,
    },
    // Another policy has another pet.
    draft: `signup:${policy}`,
  })
  const [failed, setFailed] = useState(false)
  const [said, setSaid] = useState<{ messages: string[]; hasAccount: boolean }>()
  const [made, setMade] = useState<JoiningTyped>()
  const typed = form.hook.watch()

  async function submit(typed: JoiningTyped) {
    setFailed(false)
    try {
      await signUp(signUpInput(typed, policy))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFailed(true)
      const hasAccount = error.code === 'EMAIL_HAS_ACCOUNT'
      const ofFields = Object.keys(error.fields).length > 0
      if (hasAccount || !ofFields)
        setSaid({
          messages: error.errors.length > 0 ? error.errors : [say(sentenceOf('SIGN_UP_FAILED'))],
          hasAccount,
        })
      throw ofFields ? asTyped(refusalOf(error) as Refusal, typed) : ({ errors: [] } satisfies Refusal)
    }
    onDone()
    leaveDraft('login', { email: typed.email.trim(), isNew: true })
    setMade(typed)
  }

  if (made)
    return (
      <Done title={say('Your account is ready, {name}', { name: made.firstName })}>
        <p>
          {say(
            'We’ve sent an email to {email}. Its link confirms that the address is yours. If it’s the one your insurer has, the link also adds {pet}’s policy {policy} to your account.',
            { email: made.email, pet: made.name, policy },
          )}
        </p>
        <p>
          {say(
            'If not, we’ve emailed a code to the address your insurer has. After signing in, enter it on My account.',
          )}
        </p>
        <p>
          {say('In {seconds} seconds we’ll take you to the sign-in page. Your email is already filled in.', {
            seconds: THEN_LOGIN_SECONDS,
          })}
        </p>
      </Done>
    )
  return (
    <>
      <Form
        form={form}
        onSubmit={submit}
        onRefused={(messages) => setSaid({ messages, hasAccount: false })}
        className="stack max-w-[592px] gap-8 lg:gap-10"
      >
        <FormSection title={say('Your policy')}>
          <TextField label={say('Policy number')} readOnly value={policy} id="policy" />
        </FormSection>
        <FirstPetPart form={form} title={say('Your pet')} animal={<PolicySpecies species={pet_type} />} />
        <FormSection title={say('You')}>
          <AccountFields form={form} emailHelp={say('The one your insurer has is quickest.')} />
        </FormSection>
        <div className="stack gap-4">
          <TermsBox {...form.check('agreed')} />
          <div className="stack gap-2">
            <OrderButton
              form={form.id}
              busy={form.busy}
              busyLabel={say('Creating your account…')}
              next={missingNext(joiningRules, typed)}
              agreed={typed.agreed}
            >
              {say('Create my account')}
            </OrderButton>
            {failed && (
              <p role="alert" className="text-center text-14 font-medium text-red">
                {say(sentenceOf('SIGN_UP_FAILED'))}
              </p>
            )}
          </div>
        </div>
      </Form>
      {said && (
        <Refusals
          says={said.messages}
          signIn={said.hasAccount ? loginPath('/addpet') : undefined}
          signInSays={say('You can add your policy to it.')}
          onClear={() => setSaid(undefined)}
        />
      )}
    </>
  )
}
