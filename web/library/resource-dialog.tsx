import { useState } from 'react'
import {
  type Resource,
  RESOURCE_TITLE_LENGTH,
  RESOURCE_WORDS_LENGTH,
  VIDEO_HOSTS,
} from '#contract/library.ts'
import { day } from '../lib/dates.ts'
import { ChangedMeanwhile } from '../ui/changed-meanwhile.tsx'
import { FileField } from '../ui/file-field.tsx'
import { useForm } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Segments } from '../ui/radio.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Textarea } from '../ui/textarea.tsx'
import { useSaveResource } from './queries.ts'
import { changesOf, KINDS, NO_FILES, resourceRules, sentOf, typedOf } from './resource-rules.ts'

const FILES = {
  '1': { accept: 'application/pdf', help: 'A PDF. Without one we make it from the text.' },
  '2': { accept: 'image/jpeg,image/png', help: 'A picture. Without one we draw it from the text.' },
  '3': { accept: 'video/mp4,video/webm', help: 'A short video, up to 50 MB.' },
} as const

export function ResourceDialog({
  resource,
  onClose,
}: {
  resource: Resource | undefined
  onClose: () => void
}) {
  /** What somebody else saved first. */
  const [current, setCurrent] = useState<Resource>()
  const save = useSaveResource(setCurrent)
  // A draft of an older version isn't used once somebody has changed the resource.
  const draft = resource ? `resource:${resource.id}:${resource.version}` : 'resource'
  const form = useForm({ rules: resourceRules, defaults: { ...typedOf(resource), ...NO_FILES }, draft })
  const type = form.hook.watch('type') as keyof typeof FILES | ''

  return (
    <FormDialog
      title={resource ? 'Edit resource' : 'Add resource'}
      form={form}
      does={resource ? 'Save changes' : 'Add resource'}
      onClose={onClose}
      onSubmit={async (typed) => {
        const saved = await save(sentOf(current ?? resource, typed))
        return saved.reviewed
          ? `“${saved.title}” is on the public pages.`
          : `“${saved.title}” is saved. It’s waiting under Reviews for a vet.`
      }}
    >
      {current && (
        <ChangedMeanwhile
          changes={changesOf(form.hook.watch(), current)}
          onTake={() => form.hook.setValues(typedOf(current))}
        />
      )}
      {resource && (
        <p className="text-14 text-ink-soft">
          {resource.reviewed
            ? `Reviewed by ${resource.reviewed.by}, ${day(resource.reviewed.at)}. Changed text needs a new review.`
            : 'No vet has reviewed this text yet. It’s waiting under Reviews.'}
        </p>
      )}
      <TextField label="Title" maxLength={RESOURCE_TITLE_LENGTH} {...form.field('title')} />
      <Segments legend="Type" options={KINDS} {...form.field('type')} />
      <Textarea
        label="Text"
        optional
        rows={8}
        maxLength={RESOURCE_WORDS_LENGTH}
        help="Plain text. Start a line with # for a heading, or with - for a bullet point."
        {...form.field('description')}
      />
      {(['featured_image', 'featured_image2'] as const).map((name) => (
        <FileField
          key={name}
          label={name === 'featured_image' ? 'Picture' : 'Second picture'}
          choose="Add a picture"
          change="Change picture"
          accept="image/jpeg,image/png"
          optional
          current={resource?.[name] || undefined}
          help={name === 'featured_image' ? 'JPEG or PNG, up to 16 MB.' : undefined}
          {...form.control(name)}
        />
      ))}
      {type === '3' && (
        <TextField
          label="Address of the video"
          optional
          help={`From ${VIDEO_HOSTS.map((host) => host.replace('https://', '')).join(' or ')}.`}
          {...form.field('player')}
        />
      )}
      {type !== '' && (
        <FileField
          label="File"
          choose="Choose a file"
          change="Change file"
          accept={FILES[type].accept}
          optional
          help={FILES[type].help}
          {...form.control('file')}
        />
      )}
    </FormDialog>
  )
}
