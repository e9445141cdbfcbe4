import * as calls from '#contract/library.ts'
import { useForForm } from '../lib/for-form.ts'
import { query } from '../lib/queries.ts'

export const everyResource = { ...query(calls.listAllResources, {}), refetchOnWindowFocus: 'always' as const }

const invalidates = [calls.listAllResources]

export const useSaveResource = () => useForForm(calls.saveResource, { invalidates })
export const useDeleteResource = () => useForForm(calls.deleteResource, { invalidates })
