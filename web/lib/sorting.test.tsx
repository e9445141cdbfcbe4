import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { useSorting } from './sorting.ts'
import { visit } from '../test/visit.tsx'

function Names() {
  const { inOrder } = useSorting({ name: ({ name }: { name: string }) => name }, '-name')
  return <p>{inOrder([{ name: 'Aisha' }, { name: 'Busi' }]).map(({ name }) => `${name} `)}</p>
}

it('an order in the address that no column has leaves the list in its own order [ADM-1]', async () => {
  const { leave } = visit('/', '/?sort=__proto__', Names, () => Response.json(null))
  await expect.element(page.getByText('Busi Aisha')).toBeVisible()
  leave()
})
