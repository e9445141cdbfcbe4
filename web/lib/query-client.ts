import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { adviceOn, ApiError, failed } from './api.ts'
import { keepLastShown } from './last-shown.ts'

/** There was no response, or one that says to come back later, so an automatic retry makes sense. */
const passing = (error: unknown) => error instanceof ApiError && [0, 502, 503, 504].includes(error.status)

/** `say` shows failures that have no place of their own on the page. */
export function makeQueryClient(say: (message: string, advice?: string) => void) {
  const client = new QueryClient({
    // While offline, calls fail, so that the page says so instead of waiting silently.
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (tries, error) => tries < 2 && passing(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
    // A query's failure is shown by its page. Only an expired session is handled here.
    queryCache: new QueryCache({
      onError: (error) => void (error instanceof ApiError && error.unauthorized && failed(error)),
    }),
    mutationCache: new MutationCache({
      onError(error, _input, _result, mutation) {
        const message = failed(error)
        if (!mutation.meta?.showsFailure) say(message, adviceOn(error))
      },
    }),
  })
  keepLastShown(client)
  return client
}
