import type { EmergencyCheck } from '#contract/urgency.ts'
import { Icon } from '../ui/icon.tsx'

export const idOfSign = (sign: string) => `sign-${sign}`

const tile =
  'relative grid min-h-14 content-center gap-[2px] rounded-card border border-line-strong bg-card px-3 py-2 text-left leading-5 font-medium text-ink transition-colors hover:border-green hover:bg-green-soft active:bg-green-soft'

/** Each sign submits the surrounding form, so one tap chooses one sign. */
export const SignList = ({ check, columns }: { check: EmergencyCheck; columns?: boolean }) => (
  <div className={`grid gap-4 ${columns ? 'lg:grid-cols-[repeat(auto-fit,minmax(0,1fr))] lg:gap-6' : ''}`}>
    {check.groups.map(({ title, signs }) => (
      <fieldset key={title} className="min-w-0">
        <legend className="mb-2 text-14 leading-5 font-semi text-ink-soft">{title}</legend>
        <div
          className={`grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.25rem),1fr))] gap-2 ${columns ? 'lg:grid-cols-1' : ''}`}
        >
          {signs.map(({ id, says, note }) => (
            <button
              key={id}
              id={idOfSign(id)}
              type="submit"
              name="sign"
              value={id}
              className={`${tile} ${columns ? 'lg:min-h-15 lg:pr-11 lg:pl-5' : ''} ${note ? 'col-span-full py-3' : ''}`}
            >
              <span className="text-balance">{says}</span>
              {note && <small className="text-14 leading-5 font-regular text-ink-soft">{note}</small>}
              {columns && (
                <Icon
                  name="chevron-right"
                  size={16}
                  className="absolute top-1/2 right-4 hidden -translate-y-1/2 text-ink-soft lg:block"
                />
              )}
            </button>
          ))}
        </div>
      </fieldset>
    ))}
  </div>
)
