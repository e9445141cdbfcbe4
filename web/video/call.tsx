import { useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { say } from '../ui/say.ts'
import { useCallState } from './call-sound.tsx'
import type { CallProps } from './call-props.ts'
import { CircleLayer, CircleShown } from './pointer-circle.tsx'
import { SelfView } from './self-view.tsx'
import { plateButton, Trouble } from './trouble.tsx'
import { NoPicture, OtherSide } from './other-side.tsx'

export function Call(props: CallProps) {
  const { store, name, called, face, chat, unread, news, onPhoto, onText } = props
  const state = useCallState(store)
  const isVet = store.side === 'vet'
  const open = state.chat
  const setOpen = store.showChat
  const [draws, setDraws] = useState(false)
  const root = useRef<HTMLElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [isSilent, setSilent] = useState(false)
  const { remote } = state
  const lost = state.phase === 'lost' || state.phase === 'unreachable'
  useEffect(() => {
    const element = video.current
    if (!element || !remote) return
    if (element.srcObject !== remote) element.srcObject = remote
    // A picture that ends turns black, but a paused one stays.
    if (lost) return element.pause()
    // After a reload, some browsers play sound only once something was pressed.
    element.play().then(
      () => setSilent(false),
      (error: Error) => error.name === 'NotAllowedError' && setSilent(true),
    )
  }, [remote, lost])
  const held = useRef<HTMLElement>(null)
  const heldKey = useRef<HTMLElement>(null)
  useEffect(() => {
    // The element with the focus has disappeared: the one that led here, or later a part of the call.
    if (document.activeElement !== document.body || held.current?.isConnected) return
    const inside = (found: string) => root.current!.querySelector<HTMLElement>(found)
    const next = heldKey.current ?? ((isVet && inside('textarea')) || inside('[role=toolbar] button'))
    next?.focus()
  })
  const hasPicture = state.remote !== null && state.theirs.camera && state.theirs.step !== 'sound'

  // The console has a page around it. The owner's call is the whole page.
  const Root = isVet ? 'section' : 'main'

  return (
    <Root
      ref={root as never}
      onFocus={({ target }: { target: HTMLElement }) => {
        held.current = target
        if (target.closest('[role=toolbar]')) heldKey.current = target
      }}
      aria-label={say('Video call with {name}', { name })}
      data-step={state.step}
      data-open={open || undefined}
      data-narrow={(open && isVet) || undefined}
      className={`group/call relative grid min-h-0 flex-none grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] overflow-hidden bg-stage text-on-plate [&_:focus-visible]:outline-on-plate ${
        isVet
          ? 'h-full data-open:min-[1280px]:grid-cols-[minmax(0,1fr)_312px] max-[1279px]:data-open:grid-rows-[minmax(180px,40%)_minmax(0,1fr)]'
          : 'h-[var(--visible-height,100dvh)] max-lg:data-open:grid-rows-[minmax(190px,37%)_minmax(0,1fr)] max-xs:short:data-open:grid-rows-[minmax(128px,37%)_minmax(0,1fr)] side:data-open:grid-cols-2 side:data-open:grid-rows-[minmax(0,1fr)] lg:data-open:grid-cols-[minmax(0,1fr)_392px]'
      }`}
    >
      {!isVet && <h1 className="sr-only">{say('Video call with {name}', { name })}</h1>}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live call has no captions */}
      <video
        ref={video}
        autoPlay
        playsInline
        aria-label={lost ? say('The last picture of {name}', { name }) : say('{name} on video', { name })}
        className={`col-start-1 row-start-1 size-full min-h-0 bg-stage ${isVet ? 'object-contain' : 'object-cover object-[50%_38%] lg:col-span-full'} ${hasPicture || lost ? '' : 'invisible'} ${lost ? 'brightness-45 grayscale-70' : ''}`}
      />
      {isSilent && (
        <button
          type="button"
          className={`${plateButton} z-1 col-start-1 row-start-1 place-self-center bg-plate-fill text-on-plate-fill`}
          onClick={() => void video.current?.play().then(() => setSilent(false))}
        >
          {say('Turn on the sound')}
        </button>
      )}
      {!hasPicture && !lost && <NoPicture state={state} name={name} called={called} face={face} />}
      {isVet && hasPicture && (
        <CircleLayer
          video={video}
          circle={state.circle}
          draws={draws}
          onDraw={store.draw}
          onDone={() => setDraws(false)}
        />
      )}
      <div
        ref={stage}
        className="@container pointer-events-none relative col-start-1 row-start-1 grid min-h-0 min-w-0 chats:z-2 chats:pb-6! grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_minmax(0,auto)_auto] gap-2 p-3 pt-[max(12px,env(safe-area-inset-top))] pb-[max(12px,env(safe-area-inset-bottom))] *:pointer-events-auto lg:p-4"
      >
        <div className="pointer-events-none! flex items-start justify-between gap-2 *:pointer-events-auto chats:short:hidden">
          <OtherSide state={state} name={name} face={face} isVet={isVet}>
            <Views root={root} video={video} />
          </OtherSide>
          <SelfView store={store} state={state} stage={stage}>
            {!isVet && state.circle && (
              <CircleShown circle={state.circle} mirrored={state.facing === 'user'} />
            )}
          </SelfView>
        </div>
        <div className="row-start-3 -m-1 grid content-end justify-items-start gap-2 justify-self-stretch overflow-y-auto p-1 empty:hidden chats:absolute chats:inset-x-3 chats:top-full chats:max-h-[45dvh] chats:mt-15 chats:short:mt-1">
          <Trouble {...{ store, state, called, onText, onPhoto }} />
          {!open && news && (
            <News key={news.seq} body={news.body} face={face} name={name} onOpen={() => setOpen(true)} />
          )}
        </div>
        <div
          role="toolbar"
          aria-label={say('Call')}
          className="row-start-4 flex max-w-full flex-wrap justify-center gap-1 justify-self-center rounded-panel bg-plate p-2 max-[359px]:gap-[2px] lg:gap-2 lg:px-3"
        >
          <Key
            icon="mic"
            label={say('Mute')}
            pressed={state.muted}
            onPress={() => store.setMuted(!state.muted)}
          />
          <Key
            icon={state.camera ? 'video' : 'video-off'}
            label={say('Camera')}
            pressed={state.camera}
            lit={!state.camera}
            onPress={() => void store.setCamera(!state.camera)}
          />
          {isVet ? (
            <>
              <Key
                icon="camera"
                label={say('Still')}
                onPress={store.askPhoto}
                idle={state.phase !== 'on' || state.asksPhoto}
              />
              <Key
                icon="circle"
                label={say('Circle')}
                pressed={draws || state.circle !== null}
                idle={!hasPicture}
                onPress={() => {
                  if (draws || state.circle) {
                    setDraws(false)
                    store.draw(null)
                  } else {
                    setDraws(true)
                    store.draw({ x: 0.5, y: 0.5, r: 0.12 })
                  }
                }}
              />
            </>
          ) : (
            <Key
              icon="switch-camera"
              label={say('Switch')}
              onPress={() => void store.switchCamera()}
              idle={!state.camera || !state.switches}
            />
          )}
          <Key
            icon="message-circle"
            label={say('Chat')}
            expanded={open}
            badge={open ? 0 : unread}
            onPress={() => setOpen(!open)}
          />
          <Key icon="phone-off" label={say('Leave')} leaves onPress={store.leave} />
        </div>
      </div>
      {open && (
        <section
          aria-label={say('Chat')}
          className={`relative z-1 grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] overflow-hidden bg-card text-ink [&_:focus-visible]:outline-focus ${
            isVet
              ? 'row-start-2 min-[1280px]:col-start-2 min-[1280px]:row-start-1 min-[1280px]:border-l min-[1280px]:border-line'
              : 'max-lg:row-start-2 max-lg:-mt-4 max-lg:rounded-t-card side:col-start-2 side:row-start-1 side:mt-0 side:rounded-none lg:col-start-2 lg:row-start-1 lg:m-3 lg:ml-0 lg:rounded-card lg:shadow-float'
          }`}
        >
          <header className="flex min-h-14 items-center justify-between gap-2 border-b border-line pr-2 pl-4 chats:short:hidden">
            <h2 className="truncate text-16 font-semi">{say('Chat with {name}', { name })}</h2>
            <IconButton label={say('Close chat')} icon="x" onClick={() => setOpen(false)} />
          </header>
          {chat}
        </section>
      )}
    </Root>
  )
}

type Held<E> = React.RefObject<E | null>

/** Ways to see the picture while doing something else, if the browser has them. */
function Views({ root, video }: { root: Held<HTMLElement>; video: Held<HTMLVideoElement> }) {
  const look = 'bg-plate hover:bg-plate-fill! hover:text-on-plate-fill!'
  return (
    <div className="flex gap-1 short:hidden">
      {document.pictureInPictureEnabled && (
        <IconButton
          label={say('Picture in picture')}
          icon="picture-in-picture"
          className={look}
          onClick={() =>
            void (
              document.pictureInPictureElement
                ? document.exitPictureInPicture()
                : video.current?.requestPictureInPicture()
            )?.catch(() => {})
          }
        />
      )}
      {document.fullscreenEnabled && (
        <IconButton
          label={say('Full screen')}
          icon="maximize"
          className={look}
          onClick={() =>
            void (
              document.fullscreenElement ? document.exitFullscreen() : root.current?.requestFullscreen()
            )?.catch(() => {})
          }
        />
      )}
    </div>
  )
}

const NEWS_MS = 10_000

type NewsProps = Pick<CallProps, 'name' | 'face'> & { body: string; onOpen: () => void }

function News({ body, face, name, onOpen }: NewsProps) {
  const [shows, setShows] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setShows(false), NEWS_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!shows) return null
  return (
    <button
      type="button"
      aria-label={say('Open chat: new message from {name}', { name })}
      className="flex max-w-[420px] items-start gap-[10px] rounded-card bg-plate py-[10px] pr-4 pl-[10px] text-left leading-snug short:hidden"
      onClick={onOpen}
    >
      {face}
      <span className="line-clamp-3 self-center">{body}</span>
    </button>
  )
}

function Key({
  icon,
  label,
  pressed,
  lit = pressed,
  expanded,
  leaves,
  idle,
  badge,
  onPress,
}: {
  icon: IconName
  label: string
  pressed?: boolean
  /** Shown in white, because this isn't the usual state. */
  lit?: boolean | undefined
  expanded?: boolean
  leaves?: boolean
  /** It can't be pressed now. */
  idle?: boolean
  badge?: number
  onPress: () => void
}) {
  const disc = leaves
    ? 'bg-plate-leave text-plate-fill'
    : lit
      ? 'bg-plate-fill text-on-plate-fill'
      : 'bg-plate-key'
  return (
    <button
      type="button"
      aria-pressed={pressed}
      aria-expanded={expanded}
      aria-disabled={idle || undefined}
      className="relative grid min-w-[66px] justify-items-center gap-1 rounded-card text-14 leading-tight font-medium group-data-narrow/call:min-w-11 aria-disabled:opacity-45 max-[389px]:min-w-14"
      onClick={() => !idle && onPress()}
    >
      <span
        className={`grid size-13 place-items-center rounded-full group-data-narrow/call:size-11 max-[359px]:size-11 ${disc}`}
      >
        <Icon name={icon} size={24} />
      </span>
      {badge !== undefined && badge > 0 && (
        <span className="absolute -top-[2px] right-[6px] grid min-h-5 min-w-5 place-items-center rounded-full bg-plate-new px-[6px] leading-none font-semi text-on-plate-new tabular-nums">
          <span aria-hidden="true">{badge}</span>
          <span className="sr-only">{say('{badge} new', { badge })}</span>
        </span>
      )}
      {/* Large text would push the last key out of the page. */}
      <span className="group-data-narrow/call:sr-only @max-[16rem]:sr-only max-lg:group-data-open/call:sr-only short:sr-only">
        {label}
      </span>
    </button>
  )
}
