import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Coupon, COUPON_SORTS, COUPON_STATES } from '#contract/coupons.ts'
import { useQueryFilters } from '../lib/query-filters.ts'
import { SearchField } from '../lib/search-field.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Empty } from '../ui/empty.tsx'
import { Select } from '../ui/select.tsx'
import { WorkList } from '../ui/work-table.tsx'
import { CouponDialog } from './coupon-dialog.tsx'
import { CouponRow } from './coupon-row.tsx'
import { everyCoupon, useRemoveCoupon } from './queries.ts'
import { ViewHead } from '../ui/view-frame.tsx'

export default function Coupons() {
  const { asked, set } = useQueryFilters()
  const q = asked.get('q')?.trim() ?? ''
  const state = COUPON_STATES.find((one) => one === asked.get('state'))
  const sort = COUPON_SORTS.find((one) => one === asked.get('sort'))
  const list = useInfiniteQuery(everyCoupon({ q: q || undefined, state, sort }))
  const [edited, edit] = useState<Coupon | 'new'>()
  const [removed, remove] = useState<Coupon>()
  const count = list.data?.pages.flat().length
  const isFiltered = q !== '' || state !== undefined
  const isEmpty = count === 0 && !isFiltered
  const make = (
    <Button variant="primary" size={36} icon="plus" onClick={() => edit('new')}>
      New coupon
    </Button>
  )

  return (
    <>
      <ViewHead title="Coupons" action={!isEmpty && make} />
      {!isEmpty && (
        <div className="flex flex-wrap items-end gap-4">
          <SearchField label="Code or referrer" q={q} onSearch={(words) => set('q', words)} />
          <Select label="State" value={state ?? ''} onChange={({ target }) => set('state', target.value)}>
            <option value="">Not removed</option>
            <option value="active">Active</option>
            <option value="ended">Ended or used up</option>
            <option value="deleted">Removed</option>
          </Select>
          <Select label="Order" value={sort ?? ''} onChange={({ target }) => set('sort', target.value)}>
            <option value="">Newest first</option>
            <option value="used">Most used first</option>
          </Select>
          <p role="status" className="pb-3 text-14 text-ink-soft">
            {count !== undefined &&
              (count === 1 ? '1 coupon' : `${count}${list.hasNextPage ? ' or more' : ''} coupons`)}
          </p>
        </div>
      )}
      <WorkList
        list={list}
        rowsOf={(page) => page}
        what="the coupons"
        empty={
          isEmpty ? (
            <Empty scene="empty-no-consults" title="No coupons yet" action={make}>
              A coupon you create here can be used straight away.
            </Empty>
          ) : (
            <p className="rounded-card bg-paper-sunk p-5">No coupon matches.</p>
          )
        }
        caption="Coupons"
        columns={[
          { says: 'Code' },
          { says: 'Discount', className: 'w-40' },
          { says: 'Valid for', className: 'w-52' },
          { says: 'Used', className: 'w-32' },
          { says: 'Last day', className: 'w-48' },
          { says: 'Actions', className: 'w-32', unseen: true },
        ]}
      >
        {(coupon) => <CouponRow key={coupon.id} coupon={coupon} onEdit={edit} onRemove={remove} />}
      </WorkList>
      {edited && (
        <CouponDialog coupon={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />
      )}
      {removed && <RemoveDialog coupon={removed} onClose={() => remove(undefined)} />}
    </>
  )
}

function RemoveDialog({ coupon, onClose }: { coupon: Coupon; onClose: () => void }) {
  const remove = useRemoveCoupon()
  return (
    <ConfirmDialog
      title={`Remove ${coupon.code}?`}
      does="Remove coupon"
      doing="Removing…"
      keeps="Keep it"
      onClose={onClose}
      onConfirm={async () => {
        await remove({ id: coupon.id })
        return `${coupon.code} has been removed.`
      }}
    >
      <p>
        Nobody will be able to use this code.{' '}
        {coupon.used > 0 &&
          `It was used ${coupon.used === 1 ? 'once' : `${coupon.used} times`}, and what was bought with it isn’t affected. `}
        It can’t be restored, but you can use the code again for a new coupon.
      </p>
    </ConfirmDialog>
  )
}
