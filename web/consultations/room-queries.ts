import { queryOptions } from '@tanstack/react-query'
import { changeGuestEmail } from '#contract/checkout.ts'
import * as calls from '#contract/consultations.ts'
import { api } from '../lib/api.ts'
import { useForForm } from '../lib/for-form.ts'
import { query, useCall } from '../lib/queries.ts'
import { say } from '../ui/say.ts'

/** One consultation as its room needs it. Where the account has no access, a guest's own token is tried. */
export const roomQuery = (id: number, why?: string) =>
  queryOptions({
    queryKey: [calls.getConsultation.path, { id, why }],
    queryFn: async ({ signal }) => {
      const asked = { id, why }
      return (await api(calls.getConsultation, asked, { consultation: id, signal })).consultation
    },
    refetchOnWindowFocus: 'always',
  })

export const accessQuery = (id: number) => query(calls.listAccess, { id }, { consultation: id })

const changesRoom = (id: number) =>
  ({ invalidates: [calls.getConsultation], options: { consultation: id } }) as const

export const useCancel = (id: number) => useCall(calls.cancelConsultation, changesRoom(id))
export const useAskForMail = (id: number) => useCall(calls.mailWhenTaken, changesRoom(id))
export const useChangeGuestEmail = (id: number) =>
  useForForm(changeGuestEmail, {
    ...changesRoom(id),
    unanswered: say('We couldn’t reach VetChat. Please try again.'),
  })
export const useLoginByLink = () => useCall(calls.loginByLink, { showsFailure: true })
