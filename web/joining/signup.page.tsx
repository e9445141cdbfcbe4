import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useState } from 'react'
import { sentenceOf } from '#contract/errors.ts'
import { useCodeInAddress } from '../lib/code-in-address.ts'
import { pageMeta } from '../lib/meta.ts'
import { useSession } from '../lib/session.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Failed } from '../ui/empty.tsx'
import { LatePart } from '../ui/late-part.ts'
import { say } from '../ui/say.ts'
import { FormLoading } from './form-loading.tsx'
import { Scene } from '../ui/scene.tsx'
import { FormReplacement } from '../purchases/form-replacement.tsx'
import { POLICY_PLACE } from '../pets/policy-place.ts'
import { policyOf } from './queries.ts'

const loadForm = () => import('./signup-form.tsx')

export const meta = () =>
  pageMeta(say('Your access to VetChat'), say('An account for anyone with a policy from our partner.'))

/** We removed the number from the address, so a reload finds it here. */
function useNumber() {
  const inAddress = useCodeInAddress('/signup')
  const [number, setNumber] = useState(inAddress || undefined)
  useEffect(() => {
    if (inAddress) sessionStorage.setItem(POLICY_PLACE, inAddress)
    else void Promise.resolve(sessionStorage.getItem(POLICY_PLACE) ?? '').then(setNumber)
  }, [inAddress])
  return number?.trim()
}

/** For the holder of a partner's policy: checks that it hasn't been claimed, then shows the form. */
export default function SignUpPage() {
  const number = useNumber()
  const session = useSession()
  const { data, error, isFetching, refetch } = useQuery(policyOf(number ?? ''))
  const isNone = error?.code === 'POLICY_INVALID' || number === ''

  return (
    <div className="group/page wrap stack gap-8 pt-6 pb-16 max-lg:max-w-[632px] lg:pt-12 lg:pb-24">
      <div className="stack max-w-[592px] gap-3 group-has-data-done/page:hidden">
        <h1 className="t36">{say('Your access to VetChat')}</h1>
        <p className="lead in-data-in:hidden">
          {say('It comes with your policy. Create your account to have a vet on hand.')}
        </p>
      </div>
      {data && session === 'in' ? (
        <FormReplacement
          title={say('You already have an account')}
          act={
            <LinkButton variant="primary" href="/addpet">
              {say('Add my policy')}
            </LinkButton>
          }
        >
          {say('You can add {pet} and policy {policy} to it.', {
            pet: data.policy.pet_name,
            policy: data.policy.policy,
          })}
        </FormReplacement>
      ) : data ? (
        <LatePart
          load={loadForm}
          waits={<FormLoading />}
          renderFailed={(retry) => <Failed what={say('this form')} onRetry={retry} />}
        >
          {({ SignUp }) => (
            <SignUp policy={data.policy} onDone={() => sessionStorage.removeItem(POLICY_PLACE)} />
          )}
        </LatePart>
      ) : error && !isNone ? (
        <NoWayOn
          title={say(sentenceOf('ACCESS_NOT_CHECKED'))}
          act={
            <Button
              variant="primary"
              busy={isFetching}
              busyLabel={say('Looking…')}
              onClick={() => void refetch()}
            >
              {say('Try again')}
            </Button>
          }
        >
          {error.status === 0
            ? say('We didn’t get an answer. Your policy hasn’t changed. Please try again in a moment.')
            : say(error.errors[0] ?? sentenceOf('UNEXPECTED'))}
        </NoWayOn>
      ) : isNone ? (
        <NoWayOn
          title={say(sentenceOf('ACCESS_NOT_VERIFIED'))}
          act={
            <>
              <LinkButton variant="primary" href="/login">
                {say('Login')}
              </LinkButton>
              <LinkButton href="/contact">{say('Contact us')}</LinkButton>
            </>
          }
        >
          {number === ''
            ? say(
                'Your policy number is part of the link in your insurer’s latest email. Open that link again, sign in if you already have an account, or ask us.',
              )
            : say(
                'We couldn’t find an open policy with this number. It may have ended. If it’s already on an account, sign in. Otherwise, use the link in your insurer’s latest email, or ask us.',
              )}
        </NoWayOn>
      ) : (
        <FormLoading label={say('Looking up your policy')} />
      )}
    </div>
  )
}

/** Shows a friendly drawing beside the error, where there's room. */
const NoWayOn = (words: ComponentProps<typeof FormReplacement>) => (
  <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-12 lg:grid-cols-[592px_minmax(0,1fr)]">
    <div role="alert">
      <FormReplacement {...words} />
    </div>
    <Scene scene="cat-on-lap" loading="lazy" className="-mt-30 w-full rounded-panel max-lg:hidden" />
  </div>
)
