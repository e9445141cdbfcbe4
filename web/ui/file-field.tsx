import type { ReactNode, Ref } from 'react'
import { FieldError, type FieldText, Optional } from './field.tsx'
import { FileButton } from './file-button.tsx'
import { FilePicture } from './file-picture.tsx'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { useId } from './id.ts'
import { Progress } from './progress.tsx'
import { say } from './say.ts'
import { sizeSaid } from './size-said.ts'

type FileFieldProps = Omit<FieldText, 'label'> & {
  label: string
  /** The button's label, before and after a file is chosen. */
  choose: string
  change: string
  accept: string
  value: File | null
  onValueChange: (file: File | null) => void
  /** Shows a round picture. Other files are shown by name and size. */
  picture?: boolean
  /** What's shown now: the stored picture's address, and the drawing for none. */
  current?: string
  fallback?: ReactNode
  /** Upload progress from 0 to 1. */
  progress?: number
  name?: string
  ref?: Ref<HTMLInputElement>
}

export function FileField({
  label,
  choose,
  change,
  accept,
  value,
  onValueChange,
  picture,
  current,
  fallback,
  progress,
  help,
  error,
  optional,
  id,
  name,
  ref,
}: FileFieldProps) {
  const made = useId()
  const own = id ?? made
  const there = !!value || !!current
  const sending = progress !== undefined && progress < 1

  const button = (
    <FileButton
      icon={picture ? 'camera' : 'paperclip'}
      ref={ref}
      id={own}
      name={name}
      accept={accept}
      aria-describedby={`${own}-words`}
      aria-invalid={error ? true : undefined}
      onFiles={([file]) => file && onValueChange(file)}
    >
      {there ? change : choose}
    </FileButton>
  )
  const remove = value && !sending && (
    <IconButton
      label={say('Remove {file}', { file: value.name })}
      icon="x"
      onClick={() => onValueChange(null)}
    />
  )
  const words = (
    <div id={`${own}-words`} className="stack gap-1">
      {error && <FieldError id={`${own}-error`}>{error}</FieldError>}
      {help && <p className="text-14 text-ink-soft">{help}</p>}
    </div>
  )
  const way = sending && <Progress label={say('Sending')} value={Math.round(progress * 100)} />

  if (picture)
    return (
      <div role="group" aria-label={label} className="flex flex-wrap items-center gap-5">
        <span className="grid size-24 flex-none place-items-center overflow-hidden rounded-full bg-green-soft">
          {value?.type.startsWith('image/') ? (
            <FilePicture file={value} alt="" className="size-full object-cover" />
          ) : current ? (
            <img src={current} alt="" className="size-full object-cover" />
          ) : (
            fallback
          )}
        </span>
        <div className="stack flex-[1_1_9rem] justify-items-start gap-2 [&>:not(:first-child)]:w-full">
          <span className="flex items-center gap-1">
            {button}
            {remove}
          </span>
          {way}
          {words}
        </div>
      </div>
    )
  return (
    <div role="group" aria-labelledby={`${own}-label`} className="stack justify-items-start gap-2">
      <span id={`${own}-label`} className="leading-snug font-semi">
        {label}
        {optional && <Optional />}
      </span>
      {value && (
        <div className="stack w-full gap-3 rounded-card border border-line bg-card p-4">
          <div className="grid grid-cols-[24px_minmax(0,1fr)_auto] items-center gap-3">
            <Icon name="file-text" size={24} className="text-green" />
            <span className="grid">
              <span className="truncate font-medium">{value.name}</span>
              <span className="text-14 text-ink-soft">{sizeSaid(value.size)}</span>
            </span>
            {remove}
          </div>
          {way}
        </div>
      )}
      {button}
      {words}
    </div>
  )
}
